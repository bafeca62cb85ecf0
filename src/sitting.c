#include "sitting.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "../workloads/workload.h"
#include "alone.h"
#include "environment.h"
#include "err.h"
#include "exec.h"
#include "facts.h"
#include "guests.h"
#include "probe.h"
#include "reboots.h"
#include "reset.h"
#include "store.h"
#include "tool.h"
#include "undo.h"
#include "unit.h"

gboolean sitting_check_workload(const struct sitting *sitting, const struct workload_config *config,
				const struct environment *environment, GError **error)
{
	const struct place *place = &environment->place;
	const struct workload *workload = config->workload;
	g_autofree char *reason = workload->unsupported ? workload->unsupported(config, place->dirfd) : NULL;
	guint64 needed = workload->space ? workload->space(config) : 0, free_bytes;
	const char *where = place->fs ? place->fs : sitting->dir;
	struct statvfs fs;

	if (fstatvfs(place->dirfd, &fs) < 0)
		return err_errno(error, errno, "cannot tell the free space of '%s'", where);
	free_bytes = (guint64)fs.f_bavail * fs.f_frsize;
	if (reason)
		return err_runtime(error, "workload '%s' cannot run in '%s': %s", config->spec, where, reason);
	if (needed > free_bytes) {
		g_autofree char *need = size_format(needed), *have = size_format(free_bytes);

		return err_runtime(
		    error, "workload '%s' needs %s in '%s', where %s are free: give a smaller --size or another --dir",
		    config->spec, need, where, have);
	}
	return TRUE;
}

/* Whether what was set first is still so when the last is set. */
static gboolean check_settings(const struct environment *environment, GError **error)
{
	g_autofree char *changed = environment_changed(environment);

	return !changed || err_runtime(error, "%s when another setting of the plan was made", changed);
}

/* Every treatment once, without a run: a level that the machine refuses is found before anything was measured. */
static gboolean try_treatments(const struct sitting *sitting, struct environment *environment, GError **error)
{
	const struct plan *plan = sitting->plan;
	gboolean ok = TRUE;

	for (guint t = 0; ok && t < plan->treatments->len && !exec_stop_signal(); t++) {
		ok = environment_apply(environment, plan->treatments->pdata[t], error) &&
		     check_settings(environment, error);
		for (guint i = 0; ok && i < plan->cells->len; i++) {
			const struct plan_cell *cell = &g_array_index(plan->cells, struct plan_cell, i);

			if (cell->treatment == t)
				ok = sitting_check_workload(sitting, cell->config, environment, error);
		}
		ok = environment_release(environment, ok ? error : NULL) && ok;
	}
	if (!ok && exec_stop_signal()) {
		g_clear_error(error);
		ok = TRUE;
	}
	return ok;
}

/* Data that fits into memory may be measured as memory. */
static void warn_of_small_sizes(const struct sitting *sitting)
{
	const struct plan *plan = sitting->plan;
	g_autoptr(GString) names = g_string_new(NULL);
	guint64 threshold = facts_dirty_threshold(), memory = facts_memory(), smallest = G_MAXUINT64;

	for (guint i = 0; i < plan->workloads->len; i++) {
		const struct workload_config *config = plan->workloads->pdata[i];
		guint64 size = config->workload->space ? config->workload->space(config) : 0;

		if (size == 0 || size >= MAX(memory, threshold))
			continue;
		g_string_append_printf(names, "%s%s", names->len ? ", " : "", config->spec);
		smallest = MIN(smallest, size);
	}
	if (names->len) {
		gboolean is_dirty = smallest < threshold;
		g_autofree char *size = size_format(smallest), *room = size_format(is_dirty ? threshold : memory);

		sitting->warn(
		    "%s: %s of data fits into %s (%s): a device's sustained speed takes more data, as --size 2xRAM",
		    names->str, size, is_dirty ? "the dirty pages that the kernel may hold back" : "memory", room);
	}
}

/* Another version of a program may do another thing under the same name. */
static void add_version(GHashTable *facts, const struct workload_config *config, int dirfd)
{
	const struct workload *workload = config->workload;
	g_autofree char *key = g_strconcat("tool ", workload->name, NULL), *version = NULL;

	if (!workload->version || g_hash_table_contains(facts, key))
		return;
	version = tool_version(workload->argv(config)[0], workload->version, dirfd);
	if (version)
		g_hash_table_insert(facts, g_steal_pointer(&key), g_steal_pointer(&version));
}

GHashTable *sitting_collect_facts(const struct sitting *sitting, const struct environment *environment)
{
	GHashTable *facts = facts_collect(environment->place.dirfd);

	g_hash_table_insert(facts, g_strdup("reset"), g_strdup(sitting->reset->name));
	g_hash_table_insert(facts, g_strdup("settle"), duration_format(sitting->settle_s));
	g_hash_table_insert(facts, g_strdup("timeout"), duration_format(sitting->timeout_s));
	environment_amend_facts(environment, facts);
	/* which loop device it came to lie on says nothing */
	if (sitting->place.image_bytes) {
		g_hash_table_insert(facts, g_strdup("device"), g_strdup("image"));
		g_hash_table_insert(facts, g_strdup("image"), size_format(sitting->place.image_bytes));
		g_hash_table_remove(facts, "disk");
	}
	/* a workload of the same name with other options is not the same workload: let it show as a difference */
	for (guint i = 0; i < sitting->plan->workloads->len; i++) {
		const struct workload_config *config = sitting->plan->workloads->pdata[i];

		g_hash_table_insert(facts, g_strconcat(OPTIONS_OF, config->spec, NULL), workload_config_describe(config));
		add_version(facts, config, environment->place.dirfd);
	}
	return facts;
}

static gboolean begin_store(const struct sitting *sitting, const struct environment *environment, struct store *store,
			    gboolean **done, GError **error)
{
	/* those of guests are told when they have booted */
	g_autoptr(GHashTable) facts = environment ? sitting_collect_facts(sitting, environment) : NULL;
	g_autofree char *changed = NULL, *cwd = g_get_current_dir();
	struct store_sitting stored = {.command = sitting->command,
				       .options = sitting->options,
				       .cwd = cwd,
				       .reset = sitting->reset->name,
				       .settle_s = sitting->settle_s,
				       .timeout_s = sitting->timeout_s,
				       .facts = facts,
				       .boot_id = facts_boot_id(),
				       .continues = sitting->after_boot};

	if (!sitting->resumed)
		return store_begin(store, sitting->plan, &stored, error);
	*done = g_new0(gboolean, sitting->plan->runs->len);
	if (!store_resume(store, sitting->resumed, sitting->plan, &stored, *done, &changed, error))
		return FALSE;
	if (changed)
		sitting->warn("the machine differs from when the plan was begun, which its results will say: %s", changed);
	return TRUE;
}

static gboolean execute_plan(const struct sitting *sitting, struct environment *environment, struct guests *guests,
			     struct store *store, const gboolean *done, struct runner_summary *summary, GError **error)
{
	struct runner runner = {.plan = sitting->plan,
				.done = done,
				.reset = sitting->reset,
				.probes = sitting->probes,
				.settle_s = sitting->settle_s,
				.timeout_s = sitting->timeout_s,
				.max_time_s = sitting->max_time_s,
				.rule = sitting->rule.kind == UNTIL_NONE ? NULL : &sitting->rule,
				.environment = environment,
				.guests = guests,
				.one_boot = sitting->after_boot,
				.store = store,
				.quiet = sitting->quiet,
				.warn = sitting->warn};

	alone_claim();
	if (!sitting->quiet && !guests)
		warn_of_small_sizes(sitting);
	return runner_execute(&runner, summary, error);
}

/* Commands run where the user is; the directory under test is told to them. */
static void export_directory(const struct place *place)
{
	g_setenv("VMSTAT_BENCH_DIR", place->path, TRUE);
}

/* All between the first change to the machine and the last that puts things back. */
static gboolean execute_in_environment(const struct sitting *sitting, struct runner_summary *summary, struct store *store,
				       gboolean *stored, GError **error)
{
	struct environment environment = {0};
	g_autofree gboolean *done = NULL;
	gboolean ok = environment_open(&environment, sitting->plan, &sitting->place, store, error);

	if (ok)
		export_directory(&environment.place);
	ok = ok && try_treatments(sitting, &environment, error);
	if (ok && !exec_stop_signal()) {
		*stored = begin_store(sitting, &environment, store, &done, error);
		ok = *stored && execute_plan(sitting, &environment, NULL, store, done, summary, error);
	}
	summary->stop_signal = exec_stop_signal();
	return environment_close(&environment, sitting->warn, ok ? error : NULL) && ok;
}

/* All that is changed is changed in guests, which are gone in the end. */
static gboolean execute_in_guests(const struct sitting *sitting, struct runner_summary *summary, struct store *store,
				  gboolean *stored, GError **error)
{
	struct guests *guests = guests_new(sitting, store, error);
	g_autofree gboolean *done = NULL;
	gboolean ok = guests != NULL;

	if (ok) {
		*stored = begin_store(sitting, NULL, store, &done, error);
		ok = *stored && execute_plan(sitting, NULL, guests, store, done, summary, error);
	}
	summary->stop_signal = exec_stop_signal();
	guests_free(guests);
	return ok;
}

static guint first_pending(const struct sitting *sitting, const gboolean *done)
{
	guint index = 0;

	while (done && done[index] && index + 1 < sitting->plan->runs->len)
		index++;
	return index;
}

/* Tries whether the runs could be made here, and leaves them to the boots that follow. */
static gboolean begin_reboots(const struct sitting *sitting, struct runner_summary *summary, struct store *store,
			      gboolean *stored, GError **error)
{
	struct environment environment = {0};
	g_autofree gboolean *done = NULL;
	gboolean ok = environment_open(&environment, sitting->plan, &sitting->place, store, error) &&
		      try_treatments(sitting, &environment, error);

	if (ok && !exec_stop_signal())
		ok = *stored = begin_store(sitting, &environment, store, &done, error);
	ok = environment_close(&environment, sitting->warn, ok ? error : NULL) && ok;
	summary->stop_signal = exec_stop_signal();
	return ok && (summary->stop_signal ||
		      reboots_begin(sitting, store, first_pending(sitting, done), &summary->reboot, error));
}

/* The runs of this boot, and what comes behind them. */
static gboolean execute_in_boot(const struct sitting *sitting, struct runner_summary *summary, struct store *store,
				gboolean *stored, GError **error)
{
	if (!execute_in_environment(sitting, summary, store, stored, error))
		return FALSE;
	/* who was told to stop leaves the rest to the next boot */
	if (summary->stop_signal)
		return TRUE;
	return summary->next_boot ? reboots_next(sitting, store, sitting->resumed, summary->next_boot, &summary->reboot, error)
				  : reboots_end(store, sitting->resumed, "all runs are done", error);
}

static gboolean put_back_orphans(const struct sitting *sitting, struct store *store, GError **error)
{
	g_autoptr(GString) report = g_string_new(NULL);
	gboolean ok = undo_orphans(store, report, error);
	g_auto(GStrv) lines = g_strsplit(report->str, "\n", -1);

	for (char **line = lines; *line; line++)
		if (**line)
			sitting->warn("left by a run that was killed: %s", *line);
	return ok;
}

static gboolean check_directory(const char *dir, GError **error)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return err_errno(error, errno, "cannot open directory '%s'", dir);
	close(fd);
	return TRUE;
}

/* What can be found wrong while there is no store yet. */
static gboolean check(const struct sitting *sitting, GError **error)
{
	return check_directory(sitting->dir, error) && (sitting->after_boot || reboots_check_none(error)) &&
	       (sitting->reset->boots != BOOT_MACHINE || reboots_check(sitting, error));
}

static gboolean execute(const struct sitting *sitting, struct runner_summary *summary, struct store *store, gboolean *stored,
			GError **error)
{
	switch (sitting->reset->boots) {
	case BOOT_GUEST:
		return execute_in_guests(sitting, summary, store, stored, error);
	case BOOT_MACHINE:
		return (sitting->after_boot ? execute_in_boot : begin_reboots)(sitting, summary, store, stored, error);
	default:
		return execute_in_environment(sitting, summary, store, stored, error);
	}
}

gboolean sitting_execute(const struct sitting *sitting, struct runner_summary *summary, struct store **store,
			 GError **error)
{
	gboolean was_there = access(sitting->store_path, F_OK) == 0, stored = FALSE, ok;
	g_autoptr(GError) cause = NULL;

	*summary = (struct runner_summary){0};
	ok = check(sitting, &cause);
	/* a plan that goes on by itself ends where it cannot, and its store says why */
	*store = ok || sitting->after_boot ? store_open(sitting->store_path, STORE_WRITE, ok ? &cause : NULL) : NULL;
	ok = ok && *store && put_back_orphans(sitting, *store, &cause) && execute(sitting, summary, *store, &stored, &cause);
	if (!ok && sitting->after_boot && *store)
		reboots_end(*store, sitting->resumed, cause->message, NULL);
	if (!ok && !stored && !was_there && *store && store_is_empty(*store)) {
		g_clear_pointer(store, store_close);
		unlink(sitting->store_path);
	}
	if (!ok)
		g_propagate_error(error, g_steal_pointer(&cause));
	return ok;
}
