#include "import_log_run.h"

#include <math.h>

#include "import_line.h"
#include "shared.h"
#include "text_reader.h"

static const char *const level_names[LEVELS] = {
    [LEVEL_LABEL] = "label",     [LEVEL_SECTION] = "section", [LEVEL_PROCS] = "procs",
    [LEVEL_CLIENTS] = "clients", [LEVEL_SYNC] = "sync",       [LEVEL_SECONDS] = "seconds",
};

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

	g_free(run->workload);
	g_free(run->program);
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
	g_free(runs->workload);
	g_free(runs->program);
	g_free(runs->procs);
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
	run->workload = g_strdup(runs->workload);
	run->program = g_strdup(runs->program);
	run->quote = g_strdup(runs->quote);
	run->level[LEVEL_LABEL] = g_strdup(runs->label);
	run->level[LEVEL_SECTION] = section_of(runs);
	run->level[LEVEL_PROCS] = g_strdup(runs->procs);
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
	if (workload && g_strcmp0(workload, run->workload)) {
		g_free(run->workload);
		run->workload = g_strdup(workload);
		g_clear_pointer(&run->level[LEVEL_PROCS], g_free);
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
	if (run->stage < STAGE_RESULT)
		run->before[which] = bytes;
	else if (run->n_after == 1)
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

		if (isnan(memory[i]))
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
		import_warn(runs->reader, runs->dataset, "the run before used the CPU but took no time");
}

static void add_run(struct log_runs *runs)
{
	struct dataset *dataset = runs->dataset;
	struct log_run *run = &runs->run;
	guint row = add_row(dataset, run->workload, run->level[LEVEL_LABEL], run->level[LEVEL_SECTION]);

	for (guint i = LEVEL_PROCS; i < LEVELS; i++)
		if (run->level[i])
			column_set(dataset_factor(dataset, level_names[i]), row, run->level[i]);
	set_primary(dataset, run, row);
	for (guint i = 0; i < run->values->len; i++) {
		const struct measurement *value = &g_array_index(run->values, struct measurement, i);
		struct values *values = dataset_metric(dataset, value->metric);

		if (run->outcome == OUTCOME_OK)
			values_set(values, row, value->value);
	}
	if (run->outcome == OUTCOME_OK)
		warn_of_clock(runs);
	else
		import_outcome(dataset, row, run->outcome);
	set_memory(dataset, row, memory_before, run->before);
	set_memory(dataset, row, memory_after, run->after);
}

void log_run_close(struct log_runs *runs)
{
	struct log_run *run = &runs->run;

	if (!run->is_open)
		return;
	if (run->stage == STAGE_COMMAND || run->stage == STAGE_STARTED)
		run->outcome = run->outcome == OUTCOME_OK ? OUTCOME_FAILED : run->outcome;
	if (run->values->len || run->outcome != OUTCOME_OK)
		add_run(runs);
	forget_run(run);
}
