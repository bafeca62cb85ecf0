#include "cmd.h"
#include "err.h"
#include "store.h"
#include "store_undo.h"
#include "undo.h"

extern const struct command cmd_restore;

static const char description[] =
    "A run notes in its store what it changes on the machine, before it does so, and puts it back at its end. This\n"
    "command puts back what a run that was killed had changed: kernel settings, swap areas, control groups, images.\n"
    "What somebody else has changed meanwhile is left alone, and so is what a run that is under way has changed.\n\n"
    "Example:\n"
    "  sudo vmstat-bench restore --store t.db";

/* A line for each process whose run is under way. */
static gboolean report_owners(struct store *store, GString *out, GError **error)
{
	g_autoptr(GPtrArray) list = store_undo_list(store, error);
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

/* Whether there is anything to put back in the store: reading needs no more than a store that can be read. */
static gboolean look(const char *path, gboolean *is_empty, GError **error)
{
	g_autoptr(Store) store = store_open(path, STORE_READ, error);
	g_autoptr(GPtrArray) list = store ? store_undo_list(store, error) : NULL;

	*is_empty = list && list->len == 0;
	return list != NULL;
}

static gboolean restore(const char *path, GString *out, GError **error)
{
	g_autoptr(Store) store = NULL;
	gboolean is_empty, ok;

	if (!look(path, &is_empty, error))
		return FALSE;
	if (is_empty) {
		g_string_append(out, "nothing to put back\n");
		return TRUE;
	}
	store = store_open(path, STORE_WRITE, error);
	if (!store)
		return FALSE;
	ok = undo_orphans(store, out, error);
	return report_owners(store, out, ok ? error : NULL) && ok;
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
