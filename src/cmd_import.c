#include "cmd.h"
#include "dataset.h"
#include "err.h"
#include "import.h"
#include "operand.h"
#include "sitting.h"
#include "store.h"
#include "unit.h"

extern const struct command cmd_import;

static const char description[] =
    "Reads files of any format that 'vmstat-bench list formats' shows, told by their contents, into the store. All\n"
    "commands that read take such files directly as well. Where a file cannot be read whole, nothing is stored.\n\n"
    "Examples:\n"
    "  vmstat-bench import dbench.log fio.json --label 6.12\n"
    "  vmstat-bench import results.txt --as table";

struct import_options {
	char *as, *label, *store;
};

static void set_label(struct dataset *dataset, const char *label)
{
	struct column *column = dataset_factor(dataset, "label");

	for (guint i = 0; i < dataset->n_runs; i++)
		column_set(column, i, label);
}

static struct dataset *read_file(const char *path, const struct import_options *options, const struct importer *as,
				 GError **error)
{
	g_autoptr(Dataset) dataset = import_file_as(path, as, error);

	if (!dataset)
		return NULL;
	for (guint i = 0; i < dataset->warnings->len; i++)
		cmd_warn("%s", (const char *)dataset->warnings->pdata[i]);
	if (options->label)
		set_label(dataset, options->label);
	return g_steal_pointer(&dataset);
}

static void datasets_free(gpointer dataset)
{
	dataset_free(dataset);
}

static gboolean import_files(const struct import_options *options, char *const *paths, const char *command, GString *out,
			     GError **error)
{
	const struct importer *as = options->as ? importer_find(options->as, error) : NULL;
	g_autoptr(GPtrArray) datasets = g_ptr_array_new_with_free_func(datasets_free);
	g_autoptr(Store) store = NULL;

	if ((options->as && !as) || (options->label && !label_check(options->label, error)))
		return FALSE;
	if (!*paths)
		return err_usage(error, "import of what? give a file");
	for (char *const *path = paths; *path; path++) {
		struct dataset *dataset = read_file(*path, options, as, error);

		if (!dataset)
			return FALSE;
		g_ptr_array_add(datasets, dataset);
	}
	store = store_open(cmd_store_path(options->store), STORE_WRITE, error);
	for (guint i = 0; store && i < datasets->len; i++) {
		const struct dataset *dataset = datasets->pdata[i];
		g_autofree char *shown = text_printable(paths[i]);

		if (!store_import(store, dataset, command, error))
			return FALSE;
		g_string_append_printf(out, "%s: %u run%s\n", shown, dataset->n_runs, dataset->n_runs == 1 ? "" : "s");
	}
	return store != NULL;
}

static int run(int argc, char **argv)
{
	struct import_options options = {0};
	const GOptionEntry entries[] = {
	    {"as", 0, 0, G_OPTION_ARG_FILENAME, &options.as, "Read them as this format, whatever they look like", "FORMAT"},
	    {"label", 0, 0, G_OPTION_ARG_FILENAME, &options.label,
	     "Name of what was measured (default: what the file says, else its name)", "NAME"},
	    {"store", 0, 0, G_OPTION_ARG_FILENAME, &options.store,
	     "File that keeps every run (default: $VMSTAT_BENCH_STORE or vmstat-bench.db)", "FILE"},
	    G_OPTION_ENTRY_NULL};
	g_autofree char *command = sitting_join_command(argv);
	g_autoptr(GString) out = g_string_new(NULL);
	int status = EXIT_USAGE;
	GError *error = NULL;

	if (cmd_parse(&cmd_import, "FILE...", description, entries, &argc, &argv))
		status = import_files(&options, argv + 1, command, out, &error) ? cmd_print(out) : cmd_fail(error);
	g_free(options.as);
	g_free(options.label);
	g_free(options.store);
	return status;
}

const struct command cmd_import = {"import", "read result files into the store", run};
