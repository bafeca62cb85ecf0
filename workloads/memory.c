#include "memory.h"

#include <libproc2/meminfo.h>
#include <string.h>

#include "../src/cgroup.h"
#include "../src/err.h"

#define KIB G_GUINT64_CONSTANT(1024)

static gboolean read_machine(struct memory *memory, GError **error)
{
	static enum meminfo_item items[] = {MEMINFO_MEM_TOTAL, MEMINFO_MEM_AVAILABLE, MEMINFO_SWAP_TOTAL,
					    MEMINFO_SWAP_FREE};
	struct meminfo_info *info = NULL;
	struct meminfo_stack *stack = NULL;

	if (procps_meminfo_new(&info) == 0)
		stack = procps_meminfo_select(info, items, G_N_ELEMENTS(items));
	if (stack)
		*memory = (struct memory){.ram = stack->head[0].result.ul_int * KIB,
					  .ram_free = stack->head[1].result.ul_int * KIB,
					  .swap = stack->head[2].result.ul_int * KIB,
					  .swap_free = stack->head[3].result.ul_int * KIB};
	procps_meminfo_unref(&info);
	return stack || err_runtime(error, "cannot read '/proc/meminfo'");
}

/* The group of this process in the hierarchy that has the memory controller: "0::/a" of version 2, "9:memory:/a" of
 * version 1, as cgroups(7) says. NULL where there is none. */
static char *own_group(void)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	char *group = NULL;

	if (!g_file_get_contents("/proc/self/cgroup", &text, NULL, NULL))
		return NULL;
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++) {
		g_auto(GStrv) fields = g_strsplit(*line, ":", 3);
		g_auto(GStrv) controllers = NULL;

		if (g_strv_length(fields) < 3)
			continue;
		controllers = g_strsplit(fields[1], ",", -1);
		if (g_strv_contains((const char *const *)controllers, "memory")) {
			g_free(group);
			return g_strdup(fields[2]);
		}
		if (*fields[1] == '\0')
			group = g_strdup(fields[2]);
	}
	return group;
}

static gboolean read_number(const char *directory, const char *file, guint64 *number)
{
	g_autofree char *path = g_build_filename(directory, file, NULL), *text = NULL;

	return g_file_get_contents(path, &text, NULL, NULL) &&
	       g_ascii_string_to_unsigned(g_strchomp(text), 10, 0, G_MAXUINT64, number, NULL);
}

/* A limit and what of it is in use. False where there is none, as "max" says or a missing file. */
static gboolean read_limit(const char *directory, const char *limit_file, const char *used_file, guint64 *limit,
			   guint64 *room)
{
	guint64 used;

	if (!read_number(directory, limit_file, limit) || !read_number(directory, used_file, &used))
		return FALSE;
	*room = *limit - MIN(*limit, used);
	return TRUE;
}

static void apply_group(struct memory *memory, const struct cgroup *group)
{
	gboolean is_v2 = strcmp(group->limit, "memory.max") == 0;
	guint64 limit, room;

	if (read_limit(group->path, group->limit, is_v2 ? "memory.current" : "memory.usage_in_bytes", &limit, &room)) {
		memory->ram = MIN(memory->ram, limit);
		memory->ram_free = MIN(memory->ram_free, room);
	}
	if (is_v2 && read_limit(group->path, "memory.swap.max", "memory.swap.current", &limit, &room)) {
		memory->swap = MIN(memory->swap, limit);
		memory->swap_free = MIN(memory->swap_free, room);
	}
	/* of version 1 this is for memory and swap together */
	if (!is_v2 &&
	    read_limit(group->path, "memory.memsw.limit_in_bytes", "memory.memsw.usage_in_bytes", &limit, &room)) {
		memory->swap = MIN(memory->swap, limit - MIN(limit, memory->ram));
		memory->swap_free = MIN(memory->swap_free, room - MIN(room, memory->ram_free));
	}
}

/* What the group and those above it leave. */
static void apply_groups(struct memory *memory, char *name)
{
	struct cgroup group;
	char *slash;

	do {
		if (!cgroup_find(name, &group, NULL))
			return;
		apply_group(memory, &group);
		cgroup_clear(&group);
		slash = strrchr(name, '/');
		if (slash)
			*slash = '\0';
	} while (slash);
}

gboolean memory_read(struct memory *memory, GError **error)
{
	g_autofree char *group = own_group();

	if (!read_machine(memory, error))
		return FALSE;
	if (group)
		apply_groups(memory, group);
	return TRUE;
}
