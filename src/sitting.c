#include "sitting.h"

#include <errno.h>
#include <string.h>
#include <sys/statvfs.h>

#include "../workloads/workload.h"
#include "alone.h"
#include "err.h"
#include "facts.h"
#include "flag.h"
#include "reset.h"
#include "scratch.h"
#include "store.h"
#include "unit.h"

/* Whether every workload can run there, before anything has been run. */
static gboolean check_directory(const struct plan *plan, const char *dir, int dirfd, GError **error)
{
	struct statvfs fs;

	if (fstatvfs(dirfd, &fs) < 0)
		return err_errno(error, errno, "cannot tell the free space of '%s'", dir);
	for (guint i = 0; i < plan->workloads->len; i++) {
		const struct workload_config *config = plan->workloads->pdata[i];
		const struct workload *workload = config->workload;
		g_autofree char *reason = workload->unsupported ? workload->unsupported(config, dirfd) : NULL;
		guint64 needed = workload->space ? workload->space(config) : 0;
		guint64 free_bytes = (guint64)fs.f_bavail * fs.f_frsize;

		if (reason)
			return err_runtime(error, "workload '%s' cannot run in '%s': %s", config->spec, dir, reason);
		if (needed > free_bytes) {
			g_autofree char *need = size_format(needed), *have = size_format(free_bytes);

			return err_runtime(
			    error,
			    "workload '%s' needs %s in '%s', where %s are free: give a smaller --size or another --dir",
			    config->spec, need, dir, have);
		}
	}
	return TRUE;
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
		    "%s: %s of data fits into %s (%s): the final sync is counted, but a device's sustained speed "
		    "takes more data, as --size 2xRAM",
		    names->str, size, is_dirty ? "the dirty pages that the kernel may hold back" : "memory", room);
	}
}

void sitting_describe(const struct sitting *sitting, GString *out)
{
	const struct plan *plan = sitting->plan;
	g_autofree char *label = text_printable(sitting->label);

	g_string_append_printf(out, "plan: %u run%s, label %s, order %s, seed %" G_GUINT64_FORMAT ", reset %s\n",
			       plan->runs->len, plan->runs->len == 1 ? "" : "s", label, plan_order_name(plan->order),
			       plan->seed, sitting->reset->name);
	for (guint i = 0; i < plan->workloads->len; i++) {
		const struct workload_config *config = plan->workloads->pdata[i];
		g_autofree char *settled = workload_config_describe(config), *spec = text_printable(config->spec);
		g_autofree char *shown = text_printable(settled);

		g_string_append_printf(out, "workload %s%s%s\n", spec, *shown ? ": " : "", shown);
	}
}

void sitting_describe_end(const struct sitting *sitting, const struct runner_summary *summary, GString *out)
{
	const struct plan *plan = sitting->plan;
	guint pending = plan->runs->len - summary->done - summary->skipped;

	for (guint i = 0; summary->decisions && i < summary->decisions->len; i++) {
		const struct look *look = &g_array_index(summary->decisions, struct look, i);
		const struct workload_config *config = plan->workloads->pdata[look->workload];
		g_autofree char *seen = look_text(&sitting->rule, look), *spec = text_printable(config->spec);

		g_string_append_printf(out, "%s: %s\n", spec, seen);
	}
	if (summary->skipped)
		g_string_append_printf(out, "%u runs were not needed and left out\n", summary->skipped);
	if (summary->out_of_time)
		g_string_append_printf(out, "time is up (--max-time): %u of %u runs done, %u left pending\n",
				       summary->done, plan->runs->len, pending);
}

char *sitting_join_command(char *const *argv)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (; *argv; argv++) {
		g_autofree char *quoted = g_shell_quote(*argv);

		g_string_append_printf(text, "%s%s", text->len ? " " : "",
				       strpbrk(*argv, " '\"\\$`|&;<>()*?[]#~\n\t") ? quoted : *argv);
	}
	return g_utf8_make_valid(text->str, (gssize)text->len);
}

static gboolean begin_store(const struct sitting *sitting, const struct scratch *scratch, struct store *store,
			    GError **error)
{
	g_autoptr(GHashTable) facts = facts_collect(scratch->fd);
	struct store_sitting stored = {.command = sitting->command,
				       .reset = sitting->reset->name,
				       .settle_s = sitting->settle_s,
				       .timeout_s = sitting->timeout_s,
				       .facts = facts,
				       .boot_id = facts_boot_id()};

	g_hash_table_insert(facts, g_strdup("reset"), g_strdup(sitting->reset->name));
	g_hash_table_insert(facts, g_strdup("settle"), duration_format(sitting->settle_s));
	g_hash_table_insert(facts, g_strdup("timeout"), duration_format(sitting->timeout_s));
	/* a workload of the same name with other options is not the same workload: let it show as a difference */
	for (guint i = 0; i < sitting->plan->workloads->len; i++) {
		const struct workload_config *config = sitting->plan->workloads->pdata[i];

		g_hash_table_insert(facts, g_strconcat(OPTIONS_OF, config->spec, NULL),
				    workload_config_describe(config));
	}
	return store_begin(store, sitting->plan, &stored, error);
}

/* Commands run where the user is; the directory under test is told to them. */
static void export_directory(const char *dir, const struct scratch *scratch)
{
	g_autofree char *absolute = g_canonicalize_filename(dir, NULL);
	g_autofree char *path = g_build_filename(absolute, scratch->name, NULL);

	g_setenv("VMSTAT_BENCH_DIR", path, TRUE);
}

gboolean sitting_execute(const struct sitting *sitting, struct runner_summary *summary, struct store **store,
			 GError **error)
{
	struct scratch scratch;
	gboolean ok;

	*store = NULL;
	if (!scratch_open(sitting->dir, &scratch, error))
		return FALSE;
	export_directory(sitting->dir, &scratch);
	ok = check_directory(sitting->plan, sitting->dir, scratch.fd, error) &&
	     (*store = store_open(sitting->store_path, STORE_WRITE, error)) &&
	     begin_store(sitting, &scratch, *store, error);
	if (ok) {
		struct runner runner = {.plan = sitting->plan,
					.reset = sitting->reset,
					.settle_s = sitting->settle_s,
					.timeout_s = sitting->timeout_s,
					.max_time_s = sitting->max_time_s,
					.rule = sitting->rule.kind == UNTIL_NONE ? NULL : &sitting->rule,
					.scratch = &scratch,
					.store = *store,
					.quiet = sitting->quiet,
					.warn = sitting->warn};

		if (!alone_claim()) {
			runner.flags |= FLAG_NOT_ALONE;
			sitting->warn("another vmstat-bench is running on this machine: they disturb each other");
		}
		if (!sitting->quiet)
			warn_of_small_sizes(sitting);
		ok = runner_execute(&runner, summary, error);
	}
	return scratch_remove(&scratch, ok ? error : NULL) && ok;
}
