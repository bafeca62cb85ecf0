#ifndef DOCTOR_CASE_H
#define DOCTOR_CASE_H

/* A root directory of our own with the files that a machine would have, and the doctor that looks at it. */

#include "check.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../src/doctor.h"
#include "../src/doctor_checks.h"

struct machine {
	char *root;
	struct doctor doctor;
};

static inline int machine_set_up(void **state)
{
	struct machine *machine = g_new0(struct machine, 1);

	machine->root = g_dir_make_tmp("doctor-XXXXXX", NULL);
	machine->doctor = (struct doctor){.rootfd = open(machine->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
					  .activity = {.load = NAN}};
	*state = machine;
	return machine->doctor.rootfd < 0;
}

static inline int machine_remove(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	return remove(path);
}

static inline int machine_tear_down(void **state)
{
	struct machine *machine = *state;
	int failed = nftw(machine->root, machine_remove, 8, FTW_DEPTH | FTW_PHYS);

	close(machine->doctor.rootfd);
	g_free(machine->root);
	g_free(machine);
	return failed;
}

/* The path of a file of that machine, its directory made. */
static inline char *machine_path(const struct machine *machine, const char *name)
{
	char *path = g_build_filename(machine->root, name, NULL);
	g_autofree char *directory = g_path_get_dirname(path);

	assert_int_equal(g_mkdir_with_parents(directory, 0755), 0);
	return path;
}

static inline void machine_put(const struct machine *machine, const char *name, const char *text)
{
	g_autofree char *path = machine_path(machine, name);

	assert_true(g_file_set_contents(path, text, -1, NULL));
}

static inline void machine_link(const struct machine *machine, const char *name, const char *target)
{
	g_autofree char *path = machine_path(machine, name);

	unlink(path);
	assert_int_equal(symlink(target, path), 0);
}

/* Fails unless the check finds that level, and a text that has part in it. */
#define assert_finding(machine, check, level, part)                                                                    \
	machine_expect(&(machine)->doctor, check, #check, level, part, __FILE__, __LINE__)

static inline void machine_expect(const struct doctor *doctor,
				  void (*look)(const struct doctor *doctor, struct finding *finding), const char *name,
				  enum finding_level level, const char *part, const char *file, int line)
{
	struct finding finding = {0};
	gboolean same;

	look(doctor, &finding);
	same = finding.level == level && strstr(finding.text, part);
	if (!same)
		print_error("%s:%d: %s found %s: '%s', not %s: '%s'\n", file, line, name,
			    finding_level_name(finding.level), finding.text, finding_level_name(level), part);
	finding_clear(&finding);
	if (!same)
		_fail(file, line);
}

#endif
