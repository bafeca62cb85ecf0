#include "undo.h"

#include <string.h>
#include <unistd.h>

#include "err.h"
#include "facts.h"
#include "kernel_file.h"
#include "process.h"
#include "setting_kinds.h"
#include "store_undo.h"
#include "unit.h"

const struct undo_kind *const undo_table[] = {
    &undo_sysctl, &undo_cpu, &undo_queue, &undo_thp, &undo_swap, &undo_cgroup, &undo_directory, NULL,
};

void undo_free(struct undo *undo)
{
	if (!undo)
		return;
	g_free(undo->kind);
	g_free(undo->subject);
	g_free(undo->before);
	g_strfreev(undo->ours);
	g_free(undo->boot_id);
	g_free(undo);
}

gboolean undo_owner_lives(const struct undo *undo)
{
	return process_lives(undo->boot_id, undo->pid, undo->pid_start);
}

struct undo *undo_add(struct store *store, const struct undo_kind *kind, const char *subject, const char *before,
		      char *const *ours, GError **error)
{
	g_autoptr(Undo) undo = g_new0(struct undo, 1);
	g_autoptr(GStrvBuilder) levels = g_strv_builder_new();

	for (; ours && *ours; ours++)
		g_strv_builder_add(levels, *ours);
	undo->kind = g_strdup(kind->name);
	undo->subject = g_strdup(subject);
	undo->before = g_strdup(before);
	undo->ours = g_strv_builder_end(levels);
	undo->boot_id = g_strdup(facts_boot_id());
	undo->pid = getpid();
	if (!process_start_time(&undo->pid_start, error))
		return NULL;
	return store_undo_add(store, undo, &undo->id, error) ? g_steal_pointer(&undo) : NULL;
}

gboolean undo_find(struct store *store, const struct undo_kind *kind, const char *subject, struct undo **found,
		   GError **error)
{
	g_autoptr(GPtrArray) list = store_undo_list(store, error);

	*found = NULL;
	for (guint i = 0; list && i < list->len && !*found; i++) {
		const struct undo *undo = list->pdata[i];

		if (g_str_equal(undo->kind, kind->name) && g_str_equal(undo->subject, subject) &&
		    undo_owner_lives(undo))
			*found = g_ptr_array_steal_index(list, i);
	}
	return list != NULL;
}

static const struct undo_kind *find_kind(const struct undo *undo, GError **error)
{
	for (const struct undo_kind *const *kind = undo_table; *kind; kind++)
		if (g_str_equal((*kind)->name, undo->kind))
			return *kind;
	err_runtime(error, "cannot put back %s '%s': this version does not know how", undo->kind, undo->subject);
	return NULL;
}

gboolean undo_one(struct store *store, const struct undo *undo, char **left, GError **error)
{
	const struct undo_kind *kind = find_kind(undo, error);

	*left = NULL;
	return kind && kind->put_back(undo, left, error) && store_undo_remove(store, undo->id, error);
}

/* What has become of it, in a line. */
static char *describe(const struct undo *undo, const char *left)
{
	g_autofree char *first_line = NULL, *value = NULL;

	if (left)
		return g_strdup(left);
	if (!undo->before)
		return g_strdup_printf("%s '%s' removed", undo->kind, undo->subject);
	/* what lies behind it goes with the value: see setting_queue.c */
	first_line = g_strndup(undo->before, strcspn(undo->before, "\n"));
	value = kernel_value_canonical(first_line);
	return g_strdup_printf("%s '%s' put back to '%s'", undo->kind, undo->subject, value);
}

static void report_line(GString *report, const char *line)
{
	g_autofree char *printable = text_printable(line);

	g_string_append_printf(report, "%s\n", printable);
}

static gboolean undo_orphan(struct store *store, const struct undo *undo, GString *report, GError **error)
{
	const struct undo_kind *kind = find_kind(undo, error);
	g_autofree char *left = NULL, *line = NULL;

	if (!kind)
		return FALSE;
	if (!kind->outlives_boot && !g_str_equal(undo->boot_id, facts_boot_id())) {
		line = g_strdup_printf("%s '%s' was put back by a reboot", undo->kind, undo->subject);
		if (!store_undo_remove(store, undo->id, error))
			return FALSE;
	} else {
		if (!undo_one(store, undo, &left, error))
			return FALSE;
		line = describe(undo, left);
	}
	report_line(report, line);
	return TRUE;
}

gboolean undo_orphans(struct store *store, GString *report, GError **error)
{
	g_autoptr(GPtrArray) list = store_undo_list(store, error);
	gboolean ok = list != NULL;

	for (guint i = 0; list && i < list->len; i++) {
		const struct undo *undo = list->pdata[i];
		g_autoptr(GError) failure = NULL;

		if (undo_owner_lives(undo) || undo_orphan(store, undo, report, &failure))
			continue;
		if (ok)
			g_propagate_error(error, g_steal_pointer(&failure));
		else
			report_line(report, failure->message);
		ok = FALSE;
	}
	return ok;
}
