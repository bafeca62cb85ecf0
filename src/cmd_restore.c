#include "cmd.h"
#include "err.h"
#include "scratch.h"
#include "sitting_options.h"
#include "store.h"
#include "store_undo.h"
#include "undo.h"
#include "unit.h"

extern const struct command cmd_restore;

static const char description[] =
    "A run notes in its store what it changes on the machine, before it does so, and puts it back at its end. This\n"
    "command puts back what a run that was killed had changed: kernel settings, swap files and control groups,\n"
    "whatever store has noted them, and the images and directories that runs into this store have left. What somebody\n"
    "else has changed meanwhile is left alone, and so is what a run that is under way has changed.\n\n"
    "Example:\n"
    "  sudo vmstat-bench restore --store t.db";

/* A line for each process whose run is under way. */
static gboolean report_owners(struct store *store, GString *out, GError **error)
{
	g_autoptr(GPtrArray) list = undo_list(store, error);
	g_autoptr(GHashTable) told = g_hash_table_new(g_int64_hash, g_int64_equal);

	for (guint i = 0; list && i < list->len; i++) {
		struct undo *undo = list->pdata[i];

		if (undo_owner_lives(undo) && g_hash_table_add(told, &undo->pid))
			g_string_append_printf(
			    out, "a run of process %" G_GINT64_FORMAT " is under way: its settings are left to it\n",
			    undo->pid);
	}
	return list != NULL;
}

/* The directories that the store's plans ran in, each once. */
static GPtrArray *directories_of(struct store *store, GError **error)
{
	g_autoptr(GPtrArray) plans = store_plans(store, error);
	g_autoptr(GPtrArray) directories = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; plans && i < plans->len; i++) {
		const struct store_plan *plan = plans->pdata[i];
		struct sitting_options options = {0};

		if (plan->options && plan->cwd && sitting_options_decode(plan->options, &options)) {
			g_autofree char *path = g_canonicalize_filename(options.dir ? options.dir : ".", plan->cwd);

			if (!g_ptr_array_find_with_equal_func(directories, path, g_str_equal, NULL))
				g_ptr_array_add(directories, g_steal_pointer(&path));
		}
		sitting_options_clear(&options);
	}
	return plans ? g_steal_pointer(&directories) : NULL;
}

/* Whether there is anything to put back in the store: reading needs no more than a store that can be read. */
static gboolean look(const char *path, gboolean *is_empty, GError **error)
{
	g_autoptr(Store) store = store_open(path, STORE_READ, error);
	g_autoptr(GPtrArray) list = store ? store_undo_list(store, error) : NULL;

	*is_empty = list && list->len == 0;
	return list != NULL;
}

/* path: of the store; NULL: none */
static gboolean put_back(const char *path, GString *out, GError **error)
{
	g_autoptr(Store) store = path ? store_open(path, STORE_WRITE, error) : NULL;
	gboolean ok;

	if (path && !store)
		return FALSE;
	ok = undo_orphans(store, out, error);
	return report_owners(store, out, ok ? error : NULL) && ok;
}

/* What killed runs of the store's plans have left where they ran. */
static gboolean remove_directories(const char *path, GString *out, GError **error)
{
	g_autoptr(Store) store = store_open(path, STORE_READ, error);
	g_autoptr(GPtrArray) directories = store ? directories_of(store, error) : NULL;
	g_autoptr(GPtrArray) removed = g_ptr_array_new_with_free_func(g_free);
	gboolean ok = directories != NULL;

	for (guint i = 0; directories && i < directories->len; i++)
		ok = scratch_remove_stale(directories->pdata[i], removed, ok ? error : NULL) && ok;
	for (guint i = 0; i < removed->len; i++) {
		g_autofree char *printable = text_printable(removed->pdata[i]);

		g_string_append_printf(out, "directory '%s' removed\n", printable);
	}
	return ok;
}

/* What concerns the whole machine is put back also where there is no such store. */
static gboolean restore(const char *path, GString *out, GError **error)
{
	g_autoptr(GError) unread = NULL;
	gboolean is_empty, is_read = look(path, &is_empty, &unread), ok;

	ok = put_back(is_read && !is_empty ? path : NULL, out, error);
	if (ok && !is_read)
		g_propagate_error(error, g_steal_pointer(&unread));
	if (is_read)
		ok = remove_directories(path, out, ok ? error : NULL) && ok;
	if (ok && is_read && !out->len)
		g_string_append(out, "nothing to put back\n");
	return ok && is_read;
}

static int run(int argc, char **argv)
{
	g_autofree char *path = NULL;
	const GOptionEntry entries[] = {{"store", 0, 0, G_OPTION_ARG_FILENAME, &path,
					 "The store (default: $VMSTAT_BENCH_STORE or vmstat-bench.db)", "FILE"},
					G_OPTION_ENTRY_NULL};
	g_autoptr(GString) out = g_string_new(NULL);
	GError *error = NULL;
	int status;

	if (!cmd_parse(&cmd_restore, NULL, description, entries, &argc, &argv))
		return EXIT_USAGE;
	if (argc > 1)
		err_usage(&error, "restore takes no operand, and '%s' is one", argv[1]);
	else
		restore(cmd_store_path(path), out, &error);
	status = cmd_print(out);
	return error ? cmd_fail(error) : status;
}

const struct command cmd_restore = {"restore", "put back what a killed run left changed on this machine", run};
