#include <fcntl.h>
#include <unistd.h>

#include "doctor.h"
#include "doctor_checks.h"
#include "doctor_file.h"
#include "tool.h"

void check_privileges(const struct doctor *doctor, struct finding *finding)
{
	static const char drop_caches[] = "proc/sys/vm/drop_caches";

	if (!doctor->is_root) {
		finding_set(finding, FINDING_NOTE, "not root: caches are dropped for a workload's own files only");
		finding_advise(finding, "run as root for all caches, and for settings of the machine");
	} else if (faccessat(doctor->rootfd, drop_caches, W_OK, AT_EACCESS) < 0) {
		finding_set(finding, FINDING_WARNING, "root, but /%s cannot be written: caches stay warm", drop_caches);
		finding_advise(finding, "in a container: give it --privileged; else use --reset sync and say so");
	} else {
		finding_set(finding, FINDING_OK, "root: all caches can be dropped");
	}
}

/* Programs that workloads, charts or resets call, with the Debian packages that have them. */
static const struct {
	const char *program, *package;
} tools[] = {
    {"gnuplot", "gnuplot-nox"},
    {"mkfs.ext4", "e2fsprogs"},
    {"mkfs.xfs", "xfsprogs"},
    {"mkfs.btrfs", "btrfs-progs"},
    {"fio", "fio"},
    {"dbench", "dbench"},
};

void check_tools(const struct doctor *doctor, struct finding *finding)
{
	g_autoptr(GString) missing = g_string_new(NULL), packages = g_string_new(NULL);

	for (gsize i = 0; i < G_N_ELEMENTS(tools); i++) {
		g_autofree char *path = tool_find(tools[i].program, tools[i].package, NULL);

		if (path)
			continue;
		text_list_add(missing, tools[i].program);
		g_string_append_printf(packages, " %s", tools[i].package);
	}
	if (!missing->len) {
		finding_set(finding, FINDING_OK, "all there that workloads and charts may call");
		return;
	}
	finding_set(finding, FINDING_NOTE, "not installed: %s", missing->str);
	finding_advise(finding, "what needs them will not work: apt install%s", packages->str);
}
