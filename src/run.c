#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <libproc2/vmstat.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../workloads/workload.h"
#include "clock.h"
#include "err.h"
#include "reset.h"
#include "run_output.h"

/* What the workload's process tells the runner, in memory that both share. */
struct report {
	gint64 started_us;
	double elapsed_s;
	struct rusage before_self, before_children; /* at the start of the timed window */
	gboolean finished;
	int child_status;
	char message[1024];
	double values[];
};

struct body {
	const struct workload_config *config;
	int dirfd;
	guint64 nonce;
	struct report *report;
};

void run_result_clear(struct run_result *result)
{
	g_clear_pointer(&result->message, g_free);
	g_clear_pointer(&result->own, g_array_unref);
	observation_clear(&result->observation);
}

double run_result_primary(const struct run_result *result, const struct workload_config *config)
{
	const char *primary = workload_config_primary(config);
	const GArray *seen = result->observation.measurements;
	guint own = 0;

	if (result->outcome != OUTCOME_OK)
		return NAN;
	for (const struct metric *metric = config->workload->metrics; metric && metric->name; metric++, own++)
		if (g_str_equal(metric->name, primary))
			return g_array_index(result->own, double, own);
	for (guint i = 0; i < config->outputs->len; i++, own++)
		if (g_str_equal(((const struct output_metric *)config->outputs->pdata[i])->metric.name, primary))
			return g_array_index(result->own, double, own);
	for (guint i = 0; i < RUN_METRICS; i++)
		if (g_str_equal(run_metrics[i].name, primary))
			return result->values[i];
	for (guint i = 0; seen && i < seen->len; i++)
		if (g_str_equal(g_array_index(seen, struct measurement, i).metric->name, primary))
			return g_array_index(seen, struct measurement, i).value;
	return NAN;
}

static guint count_metrics(const struct metric *metrics)
{
	guint n = 0;

	while (metrics && metrics[n].name)
		n++;
	return n;
}

/* The kernel's count of processes that it killed for lack of memory since boot; 0 where it does not say. Not fresh: up to a
 * second old, and then free of cost. */
static unsigned long oom_kills(gboolean fresh)
{
	static enum vmstat_item items[] = {VMSTAT_OOM_KILL};
	static struct vmstat_info *info;
	struct vmstat_result *item = NULL;

	if (!info && procps_vmstat_new(&info) < 0)
		return 0;
	if (fresh) {
		struct vmstat_stack *stack = procps_vmstat_select(info, items, 1);

		item = stack ? stack->head : NULL;
	} else {
		item = procps_vmstat_get(info, VMSTAT_OOM_KILL);
	}
	return item ? item->result.ul_int : 0;
}

/* The workload's own process: untimed set-up, then the timed window. */
static int run_body(void *data)
{
	struct body *body = data;
	struct report *report = body->report;
	const struct workload *workload = body->config->workload;
	struct workload_env env = {
	    .config = body->config, .dirfd = body->dirfd, .nonce = body->nonce, .values = report->values};
	g_autoptr(GError) error = NULL;
	gboolean ok = !workload->set_up || workload->set_up(&env, &error);

	if (ok) {
		double start;

		getrusage(RUSAGE_SELF, &report->before_self);
		getrusage(RUSAGE_CHILDREN, &report->before_children);
		report->started_us = g_get_real_time();
		start = clock_monotonic_s();
		ok = workload->run(&env, &error);
		report->elapsed_s = clock_monotonic_s() - start;
	}
	report->child_status = env.child_status;
	report->finished = ok;
	if (error)
		g_strlcpy(report->message, error->message, sizeof report->message);
	return ok ? 0 : 1;
}

/* The metrics that every run has: resource use is wait4()'s without what set-up had used. */
static void fill_run_metrics(double *values, double elapsed_s, const struct rusage *usage, const struct report *report)
{
	static const struct rusage none;
	const struct rusage *self = report ? &report->before_self : &none;
	const struct rusage *children = report ? &report->before_children : &none;

	values[RUN_ELAPSED] = elapsed_s;
	values[RUN_USER] = timeval_s(&usage->ru_utime) - timeval_s(&self->ru_utime) - timeval_s(&children->ru_utime);
	values[RUN_SYSTEM] = timeval_s(&usage->ru_stime) - timeval_s(&self->ru_stime) - timeval_s(&children->ru_stime);
	values[RUN_CPU] = 100 * (values[RUN_USER] + values[RUN_SYSTEM]) / elapsed_s;
	values[RUN_MAJOR_FAULTS] = (double)(usage->ru_majflt - self->ru_majflt - children->ru_majflt);
	values[RUN_MINOR_FAULTS] = (double)(usage->ru_minflt - self->ru_minflt - children->ru_minflt);
	values[RUN_CTX_SWITCHES] = (double)(usage->ru_nvcsw + usage->ru_nivcsw - self->ru_nvcsw - self->ru_nivcsw -
	                                    children->ru_nvcsw - children->ru_nivcsw);
}

/* What the wait status, the deadline and the kernel's OOM count say; the message is complete for all but failures whose
 * reason the workload itself told. */
static void judge(struct run_result *result, const struct exec_result *exec, int status, gboolean oom, const char *told)
{
	gboolean killed = (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) ||
	                  (WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGKILL);

	if (exec->interrupted) {
		result->outcome = OUTCOME_INTERRUPTED;
		result->message = g_strdup("interrupted");
	} else if (exec->timed_out) {
		result->outcome = OUTCOME_TIMED_OUT;
		result->message = g_strdup("timed out");
	} else if (killed && oom) {
		result->outcome = OUTCOME_OOM_KILLED;
		result->message = g_strdup("killed by the kernel for lack of memory");
	} else if (told && *told) {
		result->outcome = OUTCOME_FAILED;
		result->message = g_strdup(told);
	} else if (WIFSIGNALED(status)) {
		result->outcome = OUTCOME_FAILED;
		result->message = g_strdup_printf("ended by signal %d (%s)", WTERMSIG(status), g_strsignal(WTERMSIG(status)));
	} else if (WEXITSTATUS(status) != 0) {
		result->outcome = OUTCOME_FAILED;
		result->message = g_strdup_printf("exit status %d", WEXITSTATUS(status));
	} else {
		result->outcome = OUTCOME_OK;
	}
}

static gboolean run_native(const struct workload_config *config, int dirfd, guint64 nonce,
                           const struct exec_watch *watch, struct run_result *result, GError **error)
{
	guint n_own = result->own->len;
	gsize size = sizeof(struct report) + n_own * sizeof(double);
	struct report *report = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct body body = {config, dirfd, nonce, report};
	unsigned long oom_before = oom_kills(TRUE);
	struct exec_result exec;
	gboolean started;

	if (report == MAP_FAILED)
		return err_errno(error, errno, "cannot map memory for a run");
	for (guint i = 0; i < n_own; i++)
		report->values[i] = NAN;
	started = exec_fork(run_body, &body, watch, &exec, error);
	if (started) {
		int status = report->child_status ? report->child_status : exec.status;

		report->message[sizeof report->message - 1] = '\0';
		judge(result, &exec, status, oom_kills(TRUE) > oom_before, report->message);
		if (result->outcome == OUTCOME_OK) {
			fill_run_metrics(result->values, report->elapsed_s, &exec.usage, report);
			for (guint i = 0; i < n_own; i++)
				g_array_index(result->own, double, i) = report->values[i];
		}
		if (report->started_us)
			result->started_us = report->started_us;
	}
	munmap(report, size);
	return started;
}

/* What the workload has yet to do after its command, and whether it then has the value that it is run for. */
static void finish_command(const struct workload_config *config, int dirfd, guint64 nonce, struct run_result *result)
{
	const struct workload *workload = config->workload;
	struct workload_env env = {
	    .config = config, .dirfd = dirfd, .nonce = nonce, .values = (double *)(void *)result->own->data};
	g_autoptr(GError) error = NULL;

	if (workload->finish && !workload->finish(&env, &error)) {
		result->outcome = OUTCOME_FAILED;
		result->message = g_strdup(error->message);
		return;
	}
	for (guint i = 0; i < count_metrics(workload->metrics); i++)
		if (env.values[i] > 0 &&
		    (workload->sparse || g_str_equal(workload->metrics[i].name, workload->primary)))
			return;
	result->outcome = OUTCOME_FAILED;
	result->message = g_strdup_printf("output of %s: no %s in it", workload->name,
					  workload->sparse ? "value" : workload->primary);
}

static void read_output(const struct workload_config *config, int dirfd, guint64 nonce, const GString *output,
                        struct run_result *result)
{
	if (config->workload->output_format) {
		run_output_import(config, output, result);
		if (result->outcome == OUTCOME_OK)
			finish_command(config, dirfd, nonce, result);
	}
	if (result->outcome == OUTCOME_OK)
		run_output_match(config, output, result);
}

/* Adds what the exit status means to the command, and what its output complains of. */
static void add_reason(const struct workload *workload, int status, const GString *output, struct run_result *result)
{
	const char *meaning =
	    workload->explain && WIFEXITED(status) ? workload->explain(WEXITSTATUS(status)) : NULL;
	g_autofree char *judged = result->message, *line = run_output_complaint(workload, output);

	result->message = g_strconcat(judged, meaning ? ", " : "", meaning ? meaning : "", *line ? ": " : "", line, NULL);
}

static void init_result(const struct workload_config *config, struct run_result *result)
{
	guint n_own = count_metrics(config->workload->metrics) + config->outputs->len;
	const double missing = NAN;

	*result = (struct run_result){.started_us = g_get_real_time()};
	for (guint i = 0; i < RUN_METRICS; i++)
		result->values[i] = NAN;
	result->own = g_array_sized_new(FALSE, FALSE, sizeof(double), n_own);
	for (guint i = 0; i < n_own; i++)
		g_array_append_val(result->own, missing);
}

/* What a preparation came to, as a run's outcome. */
static void prepare_files(const struct workload_config *config, int dirfd, const struct exec_watch *watch,
			  struct run_result *result)
{
	g_autoptr(GString) output = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	unsigned long oom_before = oom_kills(TRUE);
	struct exec_result exec;

	if (!exec_command(config->prepare, dirfd, TRUE, output, watch, &exec, &error)) {
		result->outcome = OUTCOME_FAILED;
		result->message = g_strdup(error->message);
		return;
	}
	judge(result, &exec, exec.status, exec.status != 0 && oom_kills(TRUE) > oom_before, NULL);
	if (result->outcome == OUTCOME_FAILED) {
		add_reason(config->workload, exec.status, output, result);
	} else if (result->outcome == OUTCOME_OK && syncfs(dirfd) < 0) {
		result->outcome = OUTCOME_FAILED;
		result->message = g_strdup_printf("cannot sync the filesystem: %s", g_strerror(errno));
	}
	/* whatever the reset: what one run's preparation left in memory, another's might not */
	if (result->outcome == OUTCOME_OK)
		reset_drop_files(dirfd);
}

gboolean run_prepare(const struct workload_config *config, int dirfd, const struct exec_watch *watch,
		     struct run_result *result)
{
	if (!config->prepare)
		return TRUE;
	init_result(config, result);
	prepare_files(config, dirfd, watch, result);
	if (result->outcome == OUTCOME_OK) {
		run_result_clear(result);
		return TRUE;
	}
	g_autofree char *reason = result->message;
	result->message = g_strdup_printf("preparing its files: %s", reason);
	return FALSE;
}

static gboolean run_command(const struct workload_config *config, int dirfd, guint64 nonce,
                            const struct exec_watch *watch, struct run_result *result, GError **error)
{
	g_autoptr(GString) output = g_string_new(NULL);
	unsigned long oom_before = oom_kills(FALSE);
	struct exec_result exec;
	g_autoptr(GError) exec_error = NULL;

	if (!exec_command(config->workload->argv(config), config->workload->here ? AT_FDCWD : dirfd,
	                  run_output_wanted(config), output, watch, &exec, &exec_error)) {
		result->outcome = OUTCOME_FAILED;
		result->message = g_strdup(exec_error->message);
		return TRUE;
	}
	judge(result, &exec, exec.status, exec.status != 0 && oom_kills(TRUE) > oom_before, NULL);
	if (result->outcome == OUTCOME_OK) {
		fill_run_metrics(result->values, exec.elapsed_s, &exec.usage, NULL);
		read_output(config, dirfd, nonce, output, result);
	} else if (result->outcome == OUTCOME_FAILED) {
		add_reason(config->workload, exec.status, output, result);
	}
	return TRUE;
}

gboolean run_workload(const struct workload_config *config, int dirfd, guint64 nonce, const struct exec_watch *watch,
                      struct run_result *result, GError **error)
{
	gboolean started;

	init_result(config, result);
	started = config->workload->argv ? run_command(config, dirfd, nonce, watch, result, error)
	                                 : run_native(config, dirfd, nonce, watch, result, error);
	if (!started)
		run_result_clear(result);
	return started;
}
