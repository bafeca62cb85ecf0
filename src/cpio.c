#include "cpio.h"

#include <string.h>
#include <sys/sysmacros.h>

#define HEADER_BYTES 110

static void write_header(FILE *file, const struct cpio_member *member, const char *name, guint32 number)
{
	guint32 length = (guint32)strlen(name) + 1;

	/* magic, inode, mode, owner, group, links, time, size, device of the file and of the node, length of the name,
	 * sum */
	fprintf(file, "070701%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x", number, member->mode, 0, 0, 1,
		member->time_s, member->size, 0, 0, major(member->device), minor(member->device), length, 0);
	fwrite(name, 1, length, file);
	cpio_pad(file, HEADER_BYTES + length);
}

void cpio_begin(FILE *file, const struct cpio_member *member, guint32 number)
{
	write_header(file, member, member->path + 1, number);
}

void cpio_pad(FILE *file, guint32 size)
{
	for (; size % 4; size++)
		fputc(0, file);
}

void cpio_end(FILE *file)
{
	const struct cpio_member none = {0};

	write_header(file, &none, "TRAILER!!!", 0);
}
