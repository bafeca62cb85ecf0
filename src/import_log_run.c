#include "import_log_run.h"

#include <math.h>

#include "facts.h"
#include "import_common.h"
#include "shared.h"
#include "text_reader.h"

static const char *const level_names[LEVELS] = {
    [LEVEL_LABEL] = "label", [LEVEL_SECTION] = "section", [LEVEL_CLIENTS] = "clients", [LEVEL_SYNC] = "sync"};

static const struct metric memory_before[MEMORIES] = {
    [MEMORY_FREE] = {"free_before", "B", BETTER_NONE, NULL},
    [MEMORY_BUFFERS] = {"buffers_before", "B", BETTER_NONE, NULL},
    [MEMORY_CACHE] = {"cache_before", "B", BETTER_NONE, NULL},
    [MEMORY_SWAP] = {"swap_before", "B", BETTER_NONE, NULL},
};
static const struct metric memory_after[MEMORIES] = {
    [MEMORY_FREE] = {"free_after", "B", BETTER_NONE, NULL},
    [MEMORY_BUFFERS] = {"buffers_after", "B", BETTER_NONE, NULL},
    [MEMORY_CACHE] = {"cache_after", "B", BETTER_NONE, NULL},
    [MEMORY_SWAP] = {"swap_after", "B", BETTER_NONE, NULL},
};

void log_command_clear(struct log_command *command)
{
	g_free(command->workload);
	g_free(command->program);
	g_free(command->procs);
	g_free(command->options);
	*command = (struct log_command){NULL};
}

static void forget_memory(double *memory)
{
	for (guint i = 0; i < MEMORIES; i++)
		memory[i] = NAN;
}

void log_runs_init(struct log_runs *runs, struct dataset *dataset, const struct text_reader *reader)
{
	*runs = (struct log_runs){.dataset = dataset, .reader = reader};
	runs->quote = g_strdup("");
	runs->run.values = g_array_new(FALSE, FALSE, sizeof(struct measurement));
	forget_memory(runs->memory);
}

static void forget_run(struct log_run *run)
{
	GArray *values = run->values;

	log_command_clear(&run->command);
	g_free(run->quote);
	for (guint i = 0; i < LEVELS; i++)
		g_free(run->level[i]);
	g_array_set_size(values, 0);
	*run = (struct log_run){.values = values};
}

void log_runs_clear(struct log_runs *runs)
{
	forget_run(&runs->run);
	g_array_unref(runs->run.values);
	log_command_clear(&runs->command);
	g_free(runs->label);
	g_free(runs->heading);
	g_free(runs->quote);
}

/* Where a file has parts, by headings or because it quotes somebody, runs of two of them need not be alike. */
static char *section_of(const struct log_runs *runs)
{
	if (!runs->heading)
		return *runs->quote ? g_strdup(runs->quote) : NULL;
	return g_strconcat(runs->quote, *runs->quote ? " " : "", runs->heading, NULL);
}

/* The run under way, or a new one. */
static struct log_run *open_run(struct log_runs *runs)
{
	struct log_run *run = &runs->run;

	if (run->is_open && !g_str_equal(run->quote, runs->quote))
		log_run_close(runs);
	if (run->is_open)
		return run;
	run->is_open = TRUE;
	run->line = runs->reader->line;
	run->command.workload = g_strdup(runs->command.workload);
	run->command.program = g_strdup(runs->command.program);
	run->command.procs = g_strdup(runs->command.procs);
	run->command.options = g_strdup(runs->command.options);
	run->quote = g_strdup(runs->quote);
	run->level[LEVEL_LABEL] = g_strdup(runs->label);
	run->level[LEVEL_SECTION] = section_of(runs);
	for (guint i = 0; i < MEMORIES; i++) {
		run->before[i] = runs->memory[i];
		run->after[i] = NAN;
	}
	return run;
}

void log_run_begin(struct log_runs *runs, enum log_stage stage, const struct metric *result)
{
	struct log_run *run;

	if (runs->run.stage >= stage)
		log_run_close(runs);
	run = open_run(runs);
	run->stage = stage;
	if (result)
		run->result = result;
}

static struct measurement *find_value(const struct log_runs *runs, const struct metric *metric)
{
	for (guint i = 0; i < runs->run.values->len; i++) {
		struct measurement *value = &g_array_index(runs->run.values, struct measurement, i);

		if (value->metric == metric)
			return value;
	}
	return NULL;
}

static struct log_run *add_value(struct log_runs *runs, enum log_stage stage, const struct metric *metric, double value)
{
	struct measurement measurement = {metric, value};
	struct log_run *run;

	if (runs->run.stage > stage || find_value(runs, metric))
		log_run_close(runs);
	run = open_run(runs);
	run->stage = stage;
	g_array_append_val(run->values, measurement);
	return run;
}

void log_run_result(struct log_runs *runs, const char *workload, const struct metric *metric, double value)
{
	struct log_run *run = add_value(runs, STAGE_RESULT, metric, value);

	if (!run->result)
		run->result = metric;
	if (workload && g_strcmp0(workload, run->command.workload)) {
		log_command_clear(&run->command);
		run->command.workload = g_strdup(workload);
	}
}

void log_run_time(struct log_runs *runs, const struct metric *metric, double value)
{
	if (!isnan(value))
		add_value(runs, STAGE_TIMED, metric, value);
}

void log_run_time_more(struct log_runs *runs, const struct metric *metric, double value)
{
	struct measurement *so_far = find_value(runs, metric);

	if (so_far)
		so_far->value += value;
	else
		log_run_time(runs, metric, value);
}

void log_run_outcome(struct log_runs *runs, enum outcome outcome, enum log_stage stage)
{
	struct log_run *run;

	if (runs->run.stage >= stage)
		log_run_close(runs);
	run = open_run(runs);
	/* a process that was killed fails as well */
	if (run->outcome != OUTCOME_OOM_KILLED)
		run->outcome = outcome;
}

void log_run_set_level(struct log_runs *runs, enum log_level which, const char *level)
{
	g_free(runs->run.level[which]);
	runs->run.level[which] = g_strdup(level);
}

void log_memory_look(struct log_runs *runs)
{
	forget_memory(runs->memory);
	if (runs->run.stage >= STAGE_RESULT)
		runs->run.n_after++;
}

void log_memory_set(struct log_runs *runs, enum log_memory which, double bytes)
{
	struct log_run *run = &runs->run;

	runs->memory[which] = bytes;
	if (run->stage >= STAGE_RESULT && run->n_after == 1)
		run->after[which] = bytes;
}

/* Once the file has a section all of its runs are of one. */
static void set_section(struct dataset *dataset, guint row, const char *section)
{
	static const char none[] = "none";
	struct column *column = dataset_find_factor(dataset, level_names[LEVEL_SECTION]);

	if (!column && !section)
		return;
	if (!column) {
		column = dataset_factor(dataset, level_names[LEVEL_SECTION]);
		if (row)
			column_fill(column, 0, row, none);
	}
	column_set(column, row, section ? section : none);
}

static guint add_row(struct dataset *dataset, const char *workload, const char *label, const char *section)
{
	guint row = workload ? import_run(dataset, workload) : dataset_add_run(dataset);

	if (label)
		column_set(dataset_factor(dataset, level_names[LEVEL_LABEL]), row, label);
	set_section(dataset, row, section);
	return row;
}

guint log_add_row(struct log_runs *runs, const char *workload, const char *label)
{
	g_autofree char *section = section_of(runs);

	log_run_close(runs);
	return add_row(runs->dataset, workload, label ? label : runs->label, section);
}

static void set_memory(struct dataset *dataset, guint row, const struct metric *metrics, const double *memory)
{
	for (guint i = 0; i < MEMORIES; i++) {
		struct values *values;

		if (!isfinite(memory[i]))
			continue;
		values = dataset_metric(dataset, &metrics[i]);
		values->only_by_name = TRUE;
		values_set(values, row, memory[i]);
	}
}

/* A workload whose first runs failed before they had a result has one all the same. */
static void set_primary(struct dataset *dataset, const struct log_run *run, guint row)
{
	const char *workload = column_get(dataset->workload, row);
	const struct metric *primary = run->result ? run->result : &run_metrics[RUN_ELAPSED];

	if (!workload)
		workload = "";
	dataset_metric(dataset, primary);
	if (run->result || !g_hash_table_contains(dataset->primary, workload))
		g_hash_table_insert(dataset->primary, shared(workload), shared(primary->name));
}

/* A clock that stands still makes the fastest run of all. */
static void warn_of_clock(struct log_runs *runs)
{
	const struct measurement *elapsed = find_value(runs, &run_metrics[RUN_ELAPSED]);
	const struct measurement *user = find_value(runs, &run_metrics[RUN_USER]);
	const struct measurement *system = find_value(runs, &run_metrics[RUN_SYSTEM]);

	if (elapsed && user && system && elapsed->value == 0 && user->value + system->value > 0)
		dataset_warn(runs->dataset,
			     "%s:%" G_GUINT64_FORMAT ": the run that begins here used the CPU, but took no time",
			     runs->reader->path, runs->run.line);
}

/* A comparison is to say where the two sides were not run with the same options. */
static void set_options(struct dataset *dataset, guint row, const struct log_command *command)
{
	g_autofree char *key = g_strconcat(OPTIONS_OF, command->workload, NULL);
	g_autofree char *name = g_strdup_printf("%s: %s", key, command->options);
	GHashTable *facts;
	gpointer kept;

	if (!dataset->facts)
		dataset->facts = column_new("facts");
	column_set(dataset->facts, row, name);
	kept = shared(column_get(dataset->facts, row));
	if (g_hash_table_contains(dataset->fact_sets, kept))
		return;
	facts = g_hash_table_new(g_str_hash, g_str_equal);
	g_hash_table_insert(facts, text_kept(key), text_kept(command->options));
	g_hash_table_insert(dataset->fact_sets, kept, facts);
}

static void set_outcome(struct dataset *dataset, guint row, enum outcome outcome)
{
	if (!dataset->outcome)
		dataset->outcome = column_new("outcome");
	column_set(dataset->outcome, row, outcome_name(outcome));
}

static void add_run(struct log_runs *runs)
{
	struct dataset *dataset = runs->dataset;
	struct log_run *run = &runs->run;
	guint row = add_row(dataset, run->command.workload, run->level[LEVEL_LABEL], run->level[LEVEL_SECTION]);

	if (run->command.procs)
		column_set(dataset_factor(dataset, "procs"), row, run->command.procs);
	for (guint i = LEVEL_CLIENTS; i < LEVELS; i++)
		if (run->level[i])
			column_set(dataset_factor(dataset, level_names[i]), row, run->level[i]);
	if (run->command.workload && run->command.options)
		set_options(dataset, row, &run->command);
	set_primary(dataset, run, row);
	for (guint i = 0; i < run->values->len; i++) {
		const struct measurement *value = &g_array_index(run->values, struct measurement, i);
		struct values *values = dataset_metric(dataset, value->metric);

		if (run->outcome == OUTCOME_OK && isfinite(value->value))
			values_set(values, row, value->value);
	}
	if (run->outcome == OUTCOME_OK)
		warn_of_clock(runs);
	else
		set_outcome(dataset, row, run->outcome);
	set_memory(dataset, row, memory_before, run->before);
	set_memory(dataset, row, memory_after, run->after);
}

void log_run_close(struct log_runs *runs)
{
	struct log_run *run = &runs->run;

	if (!run->is_open)
		return;
	if (run->stage == STAGE_STARTED && run->outcome == OUTCOME_OK)
		run->outcome = OUTCOME_FAILED;
	if (run->stage == STAGE_COMMAND && run->outcome == OUTCOME_OK)
		dataset_warn(runs->dataset, "%s:%" G_GUINT64_FORMAT ": nothing tells what became of this command",
			     runs->reader->path, run->line);
	if (run->values->len || run->outcome != OUTCOME_OK)
		add_run(runs);
	forget_run(run);
}
