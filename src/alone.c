#include "alone.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define NAME "vmstat-bench."

static int claimed = -1;

void alone_claim(void)
{
	/* the first byte is NUL: a name of Linux's abstract space, no file */
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	int length = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, NAME "%d", (int)getpid());
	socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);

	if (claimed >= 0)
		return;
	claimed = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	/* a machine that does not let us say that we are here lets us run all the same */
	if (claimed >= 0 && bind(claimed, (const struct sockaddr *)&name, size) < 0) {
		close(claimed);
		claimed = -1;
	}
}

/* Names of the abstract space stand behind an '@' at the end of a line of /proc/net/unix.   source: unix(7), proc(5) */
gboolean alone_is(void)
{
	g_autofree char *text = NULL, *own = g_strdup_printf("%d", (int)getpid());
	guint others = 0;

	if (!g_file_get_contents("/proc/net/unix", &text, NULL, NULL))
		return TRUE;
	for (const char *at = strstr(text, "@" NAME); at; at = strstr(at + 1, "@" NAME)) {
		const char *number = at + strlen("@" NAME);
		gsize digits = strspn(number, "0123456789");

		others += digits != strlen(own) || strncmp(number, own, digits) != 0;
	}
	return others == 0;
}
