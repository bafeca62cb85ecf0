#include "../workloads/workload.h"
#include "cmd.h"
#include "doctor.h"
#include "err.h"
#include "report_doctor.h"
#include "unit.h"

extern const struct command cmd_doctor;

static const char description[] =
    "It looks at the machine (virtual or not, containers and their limits, kernel), the processors (governor, turbo,\n"
    "SMT, heat, clock), what else is at work or about to be (load, package managers, timers, cron, arrays that are\n"
    "rebuilt), memory and swap, and at the directory: space, filesystem, mount options, the disk below. It changes\n"
    "nothing. Each finding is a warning (it will disturb), a note (good to know) or ok; '-' is what cannot be told\n"
    "here. What can be done about it stands below, behind '->'.\n\n"
    "Examples:\n"
    "  vmstat-bench doctor\n"
    "  vmstat-bench doctor --dir /mnt/test --size 2xRAM\n"
    "  vmstat-bench doctor --format json | jq -r '.findings[] | select(.level == \"warning\") | .text'\n\n"
    "Exit codes: 0 whatever is found, 2 wrong usage, 3 the directory cannot be opened.";

struct doctor_options {
	char *dir, *size, *format;
};

static const struct {
	const char *name;
	void (*report)(const GArray *findings, GString *out);
} formats[] = {{"text", report_doctor_text}, {"json", report_doctor_json}};

/* What the usual workloads write by themselves: all the same, and qsbench nothing. */
static guint64 usual_bytes(void)
{
	struct workload_config *config = workload_config_parse("dd1", NULL);
	guint64 bytes;

	g_assert(config);
	bytes = config->workload->space(config);
	workload_config_free(config);
	return bytes;
}

static gboolean examine(const struct doctor_options *options, GString *out, GError **error)
{
	const char *name = options->format ? options->format : "text";
	guint64 size_bytes = usual_bytes();
	struct doctor doctor;
	gsize format = 0;

	while (format < G_N_ELEMENTS(formats) && !g_str_equal(formats[format].name, name))
		format++;
	if (format == G_N_ELEMENTS(formats))
		return err_usage(error, "no format '%s': there are text, json", name);
	if (options->size && !size_parse(options->size, &size_bytes, error))
		return FALSE;
	if (!doctor_open(&doctor, options->dir ? options->dir : ".", size_bytes, error))
		return FALSE;

	g_autoptr(GArray) findings = doctor_examine(&doctor);
	formats[format].report(findings, out);
	doctor_close(&doctor);
	return TRUE;
}

static int run(int argc, char **argv)
{
	struct doctor_options options = {0};
	const GOptionEntry entries[] = {
	    {"dir", 0, 0, G_OPTION_ARG_FILENAME, &options.dir, "Directory on the filesystem to test (default: .)",
	     "DIR"},
	    {"size", 0, 0, G_OPTION_ARG_FILENAME, &options.size,
	     "Bytes that a workload will write: 256M, 1.5G, 2xRAM (default: as the usual workloads)", "SIZE"},
	    {"format", 0, 0, G_OPTION_ARG_FILENAME, &options.format, "text or json (default: text)", "FORMAT"},
	    G_OPTION_ENTRY_NULL};
	g_autoptr(GString) out = g_string_new(NULL);
	GError *error = NULL;
	int status = EXIT_USAGE;

	if (cmd_parse(&cmd_doctor, "", description, entries, &argc, &argv)) {
		if (argc > 1)
			err_usage(&error, "doctor takes no operand, and '%s' is one: give a directory with --dir",
				  argv[1]);
		else
			examine(&options, out, &error);
		status = error ? cmd_fail(error) : cmd_print(out);
	}
	g_free(options.dir);
	g_free(options.size);
	g_free(options.format);
	return status;
}

const struct command cmd_doctor = {"doctor", "tell what on this machine will make results noisy or wrong", run};
