#include "test_workload.h"

#include <signal.h>
#include <sys/time.h>

#include "../src/clock.h"

/* A duration in any of its units, told in seconds: 5 s where none is given. */
static void test_times(void **state)
{
	static const struct {
		const char *spec, *described;
		double seconds;
	} cases[] = {
	    {"idle", "time=5", 5},
	    {"idle:time=250ms", "time=0.25", 0.25},
	    {"idle:time=2", "time=2", 2},
	    {"idle:time=1.5m", "time=90", 90},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct workload_config *config = parse_spec(cases[i].spec);
		g_autofree char *described = workload_config_describe(config);

		assert_string_equal(described, cases[i].described);
		assert_true(workload_option_value(config, "time")->seconds == cases[i].seconds);
		assert_string_equal(workload_config_primary(config), "elapsed");
		workload_config_free(config);
	}
}

static void on_alarm(int number)
{
}

/* Signals to come amid the sleep, handled and forgotten. */
static void ask_for_alarms(void)
{
	const struct itimerval timer = {.it_interval = {.tv_usec = 20000}, .it_value = {.tv_usec = 20000}};
	const struct sigaction action = {.sa_handler = on_alarm};

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

/* It lasts as long as it was asked to, also where signals wake it. */
static void test_it_lasts(void **state)
{
	const struct scratch *scratch = *state;
	struct workload_config *config = parse_spec("idle:time=300ms");
	double start_s = clock_monotonic_s();
	struct trial trial = try_workload(config, scratch->fd, ask_for_alarms);

	assert_true(trial.ok);
	assert_true(clock_monotonic_s() - start_s >= 0.3);
	workload_config_free(config);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_times),
	    workload_test(test_it_lasts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
