#include "undo.h"

#include <string.h>
#include <unistd.h>

#include "err.h"
#include "facts.h"
#include "kernel_file.h"
#include "process.h"
#include "reboot_unit.h"
#include "registry.h"
#include "setting_kinds.h"
#include "store.h"
#include "store_undo.h"
#include "unit.h"

const struct undo_kind *const undo_table[] = {
    &undo_sysctl, &undo_cpu, &undo_queue, &undo_thp, &undo_swap, &undo_cgroup, &undo_directory, &undo_unit, NULL,
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
	g_free(undo->store);
	g_free(undo);
}

gboolean undo_owner_lives(const struct undo *undo)
{
	return process_lives(undo->boot_id, undo->pid, undo->pid_start);
}

static const struct undo_kind *find_kind(const struct undo *undo, GError **error)
{
	for (const struct undo_kind *const *kind = undo_table; *kind; kind++)
		if (g_str_equal((*kind)->name, undo->kind))
			return *kind;
	err_runtime(error, "cannot put back %s '%s': this version does not know how", undo->kind, undo->subject);
	return NULL;
}

static gboolean is_private(const struct undo *undo)
{
	const struct undo_kind *kind = find_kind(undo, NULL);

	return kind && kind->is_private;
}

/* Takes it out of the store, and the store out of the registry where that was the last that concerns the machine. */
static gboolean forget(struct store *store, const struct undo *undo, GError **error)
{
	g_autofree char *path = store_undo_path(store);
	g_autoptr(GPtrArray) list = NULL;
	gboolean ok, is_last = !is_private(undo);

	if (!registry_lock(error))
		return FALSE;
	ok = store_undo_remove(store, undo->id, error);
	list = store_undo_list(store, NULL);
	is_last = is_last && list;
	for (guint i = 0; is_last && i < list->len; i++)
		is_last = is_private(list->pdata[i]);
	ok = ok && (!is_last || registry_remove(path, error));
	registry_unlock();
	return ok;
}

struct undo *undo_add(struct store *store, const struct undo_kind *kind, const char *subject, const char *before,
		      char *const *ours, GError **error)
{
	g_autoptr(Undo) undo = g_new0(struct undo, 1);
	g_autoptr(GStrvBuilder) levels = g_strv_builder_new();
	g_autofree char *path = store_undo_path(store);
	gboolean ok;

	for (; ours && *ours; ours++)
		g_strv_builder_add(levels, *ours);
	undo->kind = g_strdup(kind->name);
	undo->subject = g_strdup(subject);
	undo->before = g_strdup(before);
	undo->ours = g_strv_builder_end(levels);
	undo->boot_id = g_strdup(facts_boot_id());
	undo->pid = getpid();
	if (!process_start_time(&undo->pid_start, error) || !registry_lock(error))
		return NULL;
	ok = store_undo_add(store, undo, &undo->id, error);
	if (ok && !kind->is_private && !registry_add(path, error)) {
		store_undo_remove(store, undo->id, NULL);
		ok = FALSE;
	}
	registry_unlock();
	return ok ? g_steal_pointer(&undo) : NULL;
}

gboolean undo_adopt(struct store *store, const struct undo_kind *kind, struct undo **adopted, GError **error)
{
	g_autofree char *path = store_undo_path(store);
	g_autoptr(GPtrArray) list = store_undo_list(store, error);
	gboolean ok = list != NULL;

	*adopted = NULL;
	for (guint i = 0; ok && i < list->len && !*adopted; i++) {
		struct undo *undo = list->pdata[i];

		if (!g_str_equal(undo->kind, kind->name))
			continue;
		undo->pid = getpid();
		g_free(undo->boot_id);
		undo->boot_id = g_strdup(facts_boot_id());
		ok = process_start_time(&undo->pid_start, error) && registry_lock(error);
		if (!ok)
			break;
		ok = store_undo_own(store, undo, error) && (kind->is_private || registry_add(path, error));
		registry_unlock();
		if (ok)
			*adopted = g_ptr_array_steal_index(list, i);
	}
	return ok;
}

/* Appends what another store has noted that concerns the machine; nothing where there is no store any more. */
static gboolean append_other(const struct registered *registered, GPtrArray *all, GError **error)
{
	g_autoptr(Store) store = NULL;
	g_autoptr(GPtrArray) list = NULL;
	guint before = all->len;

	if (!store_undo_is_there(registered->path))
		return TRUE;
	store = store_open(registered->path, STORE_READ, error);
	if (store)
		store_undo_trust(store, registered->caller);
	list = store ? store_undo_list(store, error) : NULL;
	if (!list)
		return FALSE;
	while (list->len) {
		g_autoptr(Undo) undo = g_ptr_array_steal_index(list, 0);

		undo->store = g_strdup(registered->path);
		if (!is_private(undo))
			g_ptr_array_add(all, g_steal_pointer(&undo));
	}
	/* one that was killed between its last two steps */
	return all->len > before || registry_remove(registered->path, error);
}

static GPtrArray *new_list(void)
{
	return g_ptr_array_new_with_free_func((GDestroyNotify)undo_free);
}

/* The stores in the registry but this one. */
static GPtrArray *list_others(struct store *store, GError **error)
{
	g_autofree char *own = store ? store_undo_path(store) : NULL;
	g_autoptr(GPtrArray) others = registry_list(error);

	for (guint i = others ? others->len : 0; i-- > 0;)
		if (g_strcmp0(((const struct registered *)others->pdata[i])->path, own) == 0)
			g_ptr_array_remove_index(others, i);
	return g_steal_pointer(&others);
}

GPtrArray *undo_list(struct store *store, GError **error)
{
	g_autoptr(GPtrArray) all = store ? store_undo_list(store, error) : new_list(), others = NULL;
	gboolean ok;

	if (!all || !registry_lock(error))
		return NULL;
	others = list_others(store, error);
	ok = others != NULL;
	for (guint i = 0; ok && i < others->len; i++)
		ok = append_other(others->pdata[i], all, error);
	registry_unlock();
	return ok ? g_steal_pointer(&all) : NULL;
}

gboolean undo_find(struct store *store, const struct undo_kind *kind, const char *subject, struct undo **found,
		   GError **error)
{
	g_autoptr(GPtrArray) list = undo_list(store, error);

	*found = NULL;
	for (guint i = 0; list && i < list->len && !*found; i++) {
		const struct undo *undo = list->pdata[i];

		if (g_str_equal(undo->kind, kind->name) && g_str_equal(undo->subject, subject) &&
		    undo_owner_lives(undo))
			*found = g_ptr_array_steal_index(list, i);
	}
	return list != NULL;
}

static gboolean put_back(struct store *store, const struct undo *undo, gboolean *is_changed, char **left,
			 GError **error)
{
	const struct undo_kind *kind = find_kind(undo, error);

	*is_changed = FALSE;
	*left = NULL;
	return kind && kind->put_back(undo, is_changed, left, error) && forget(store, undo, error);
}

gboolean undo_one(struct store *store, const struct undo *undo, char **left, GError **error)
{
	gboolean is_changed;

	return put_back(store, undo, &is_changed, left, error);
}

/* What has become of it, in a line; NULL where it was as before already. */
static char *describe(const struct undo *undo, gboolean is_changed, const char *left)
{
	g_autofree char *first_line = NULL, *value = NULL;

	if (left || !is_changed)
		return g_strdup(left);
	if (!undo->before)
		return g_strdup_printf("%s '%s' removed", undo->kind, undo->subject);
	/* what lies behind it goes with the value: see setting_queue.c */
	first_line = g_strndup(undo->before, strcspn(undo->before, "\n"));
	value = kernel_value_canonical(first_line);
	return g_strdup_printf("%s '%s' put back to '%s'", undo->kind, undo->subject, value);
}

/* What is told of orphans. */
struct telling {
	GString *report;
	GError *failure; /* the first */
};

static void tell(struct telling *telling, const char *line)
{
	g_autofree char *printable = text_printable(line);

	g_string_append_printf(telling->report, "%s\n", printable);
}

static void tell_failure(struct telling *telling, GError *failure)
{
	if (!telling->failure) {
		telling->failure = failure;
		return;
	}
	tell(telling, failure->message);
	g_error_free(failure);
}

/* What is told of one that another store has noted says so. */
static char *name_store(const struct undo *undo, char *text)
{
	g_autofree char *plain = text;

	if (!text || !undo->store)
		return g_steal_pointer(&plain);
	return g_strdup_printf("%s (noted in '%s')", plain, undo->store);
}

static gboolean put_back_orphan(struct store *store, const struct undo *undo, char **line, GError **error)
{
	const struct undo_kind *kind = find_kind(undo, error);
	g_autofree char *left = NULL;
	gboolean is_changed;

	if (!kind)
		return FALSE;
	if (!kind->outlives_boot && !g_str_equal(undo->boot_id, facts_boot_id())) {
		*line = g_strdup_printf("%s '%s' was put back by a reboot", undo->kind, undo->subject);
		return forget(store, undo, error);
	}
	if (!put_back(store, undo, &is_changed, &left, error))
		return FALSE;
	*line = describe(undo, is_changed, left);
	return TRUE;
}

static void put_back_orphans(struct store *own, const GPtrArray *list, struct telling *telling)
{
	for (guint i = 0; i < list->len; i++) {
		const struct undo *undo = list->pdata[i];
		g_autoptr(Store) other = NULL;
		g_autofree char *line = NULL;
		GError *failure = NULL;

		if (undo_owner_lives(undo))
			continue;
		if (undo->store)
			other = store_open(undo->store, STORE_WRITE, &failure);
		if (failure || !put_back_orphan(undo->store ? other : own, undo, &line, &failure)) {
			failure->message = name_store(undo, failure->message);
			tell_failure(telling, failure);
		}
		line = name_store(undo, line);
		if (line)
			tell(telling, line);
	}
}

static void put_back_own(struct store *store, struct telling *telling)
{
	GError *failure = NULL;
	g_autoptr(GPtrArray) list = store_undo_list(store, &failure);

	if (list)
		put_back_orphans(store, list, telling);
	else
		tell_failure(telling, failure);
}

/* Of one that is gone it can only be said that it is. */
static gboolean drop_if_gone(const struct registered *registered, struct telling *telling, GError **error)
{
	g_autofree char *line = NULL;

	if (store_undo_is_there(registered->path))
		return TRUE;
	line = g_strdup_printf("the store '%s' is gone: what its runs had changed on this machine is not put back",
			       registered->path);
	tell(telling, line);
	return registry_remove(registered->path, error);
}

static void put_back_others(struct store *store, struct telling *telling)
{
	GError *failure = NULL;
	g_autoptr(GPtrArray) others = list_others(store, &failure);

	if (!others)
		tell_failure(telling, failure);
	for (guint i = 0; others && i < others->len; i++) {
		g_autoptr(GPtrArray) list = new_list();

		failure = NULL;
		if (drop_if_gone(others->pdata[i], telling, &failure) && append_other(others->pdata[i], list, &failure))
			put_back_orphans(NULL, list, telling);
		else
			tell_failure(telling, failure);
	}
}

gboolean undo_orphans(struct store *store, GString *report, GError **error)
{
	struct telling telling = {.report = report};

	if (!registry_lock(error))
		return FALSE;
	if (store)
		put_back_own(store, &telling);
	put_back_others(store, &telling);
	registry_unlock();
	if (telling.failure)
		g_propagate_error(error, telling.failure);
	return !telling.failure;
}
