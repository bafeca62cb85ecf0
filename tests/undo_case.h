#ifndef UNDO_CASE_H
#define UNDO_CASE_H

/* Processes that set things and are killed, and what is then put back. */

#include <signal.h>
#include <sqlite3.h>
#include <sys/prctl.h>

#include "setting_case.h"

#define SWAPPINESS "/proc/sys/vm/swappiness"

static inline void run_sql(const char *path, const char *sql)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

/* Puts back what dead processes left; the report is as given. */
static inline void check_orphans(struct setting_case *fixture, const char *want_report)
{
	g_autoptr(GString) report = g_string_new(NULL);
	g_autoptr(GError) error = NULL;

	if (!undo_orphans(fixture->store, report, &error))
		fail_msg("%s", error->message);
	assert_string_equal(report->str, want_report);
}

/* A process that begins settings in the store, applies their levels, and then waits to be killed. */
struct holder {
	pid_t pid;
	int ready;
};

/* No check may fail here: it would go on with the next test. */
static inline gboolean set_all(struct setting_case *fixture, const char *const (*settings)[2])
{
	fixture->env.store = store_open(fixture->path, STORE_WRITE, NULL);
	for (; fixture->env.store && (*settings)[0]; settings++) {
		struct setting *setting = setting_new((*settings)[0]);

		g_ptr_array_add(setting->levels, g_strdup((*settings)[1]));
		if (!setting->kind->begin(setting, &fixture->env, NULL) ||
		    !setting->kind->apply(setting, (*settings)[1], &fixture->env, NULL))
			return FALSE;
	}
	return fixture->env.store != NULL;
}

static inline struct holder hold(struct setting_case *fixture, const char *const (*settings)[2])
{
	struct holder holder;
	int ends[2];
	char byte;

	assert_int_equal(pipe(ends), 0);
	holder.pid = fork();
	if (holder.pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (set_all(fixture, settings) && write(ends[1], "", 1) == 1)
			pause();
		_exit(1);
	}
	close(ends[1]);
	holder.ready = ends[0];
	assert_int_equal(read(holder.ready, &byte, 1), 1);
	return holder;
}

/* It is then dead, and nobody has asked for its status. */
static inline void kill_holder(struct holder *holder)
{
	siginfo_t info;

	close(holder->ready);
	assert_int_equal(kill(holder->pid, SIGKILL), 0);
	assert_int_equal(waitid(P_PID, (id_t)holder->pid, &info, WEXITED | WNOWAIT), 0);
}

static inline void reap(struct holder *holder)
{
	assert_int_equal(waitpid(holder->pid, NULL, 0), holder->pid);
}

static const char *const swappiness_61[][2] = {{"sysctl:vm.swappiness", "61"}, {NULL, NULL}};

#endif
