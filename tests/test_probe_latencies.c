#include "check.h"

#include <stdlib.h>

#include "../src/latencies.h"
#include "../src/player.h"
#include "../stats/describe.h"
#include "../stats/sort.h"
#include "../stats/stream.h"

#define MS G_GINT64_CONSTANT(1000000)
#define N 100

/* The promise of latencies.h. */
#define BUCKET_ERROR 0.004

/* A service that takes 1 ms, and one time, from the start, 105 ms: the clock of a probe that sends requests when they
 * are due and overdue ones back to back. */
static void serve(struct latencies *latencies, guint n)
{
	gint64 now_ns = 0;

	latencies_begin(latencies, 0, 10 * MS);
	for (guint i = 0; i < n; i++) {
		now_ns = MAX(now_ns, latencies->due_ns) + (i == 0 ? 105 * MS : MS);
		latencies_done(latencies, now_ns);
	}
}

/* A stall of 105 ms with a request due every 10 ms delays twelve of them: request k is done at 105 + k and was due at
 * 10 k, which makes 105, 96, 87 ... 6 ms; all others take 1 ms. By hand, of 100: median 1, 95th percentile (type 7)
 * 60 + 0.05 * 9, 99th 96 + 0.01 * 9. A probe that forgot what it could not send would call all of these 1 ms. */
static void test_a_stall_counts_for_all_that_it_delayed(void **state)
{
	struct latencies latencies;

	serve(&latencies, N);
	assert_int_equal(latencies.n, N);
	assert_int_equal(latencies.n_missed, 11);
	for (guint k = 0; k < N; k++) {
		double want_ms = k < N - 12 ? 1 : 6 + 9.0 * (k - (N - 12));

		assert_close(latencies_quantile_ns(&latencies, k / (N - 1.0)), want_ms * MS, BUCKET_ERROR);
	}
	assert_close(latencies_quantile_ns(&latencies, 0.5), 1.0 * MS, BUCKET_ERROR);
	assert_close(latencies_quantile_ns(&latencies, 0.95), 60.45 * MS, BUCKET_ERROR);
	assert_close(latencies_quantile_ns(&latencies, 0.99), 96.09 * MS, BUCKET_ERROR);
	assert_true(latencies_quantile_ns(&latencies, 0) == 1.0 * MS);
	assert_true(latencies_quantile_ns(&latencies, 1) == 105.0 * MS);
}

/* A run that ends at 55 ms, amid the stall: what was due at 0, 10 ... 50 counts with its delay so far. */
static void test_a_stall_to_the_end_counts(void **state)
{
	struct latencies latencies;

	latencies_begin(&latencies, 0, 10 * MS);
	latencies_end(&latencies, 55 * MS, 55 * MS);
	assert_int_equal(latencies.n, 6);
	assert_int_equal(latencies.n_missed, 5);
	for (guint k = 0; k < 6; k++)
		assert_close(latencies_quantile_ns(&latencies, k / 5.0), (5 + 10.0 * k) * MS, BUCKET_ERROR);
}

/* The request under way at the stop is done 45 ms after it: what waits behind it was delayed up to then, and what was
 * to be sent after the stop is none of the run's. */
static void test_what_waits_behind_the_last_request(void **state)
{
	struct latencies latencies;

	latencies_begin(&latencies, 0, 10 * MS);
	latencies_done(&latencies, 65 * MS);
	latencies_end(&latencies, 20 * MS, 65 * MS);
	assert_int_equal(latencies.n, 3);
	assert_true(latencies_quantile_ns(&latencies, 0) == 45.0 * MS);
	assert_close(latencies_quantile_ns(&latencies, 0.5), 55.0 * MS, BUCKET_ERROR);
	assert_true(latencies_quantile_ns(&latencies, 1) == 65.0 * MS);
}

/* Done just when the next is due is too late, a nanosecond before is not; one that is due at the stop belongs to the
 * run. */
static void test_missed_from_the_period_on(void **state)
{
	struct latencies latencies;

	latencies_begin(&latencies, 0, 10 * MS);
	latencies_done(&latencies, 10 * MS - 1);
	assert_int_equal(latencies.n_missed, 0);
	latencies_done(&latencies, 20 * MS);
	assert_int_equal(latencies.n_missed, 1);
	latencies_end(&latencies, 20 * MS - 1, 20 * MS);
	assert_int_equal(latencies.n, 2);
	latencies_end(&latencies, 20 * MS, 20 * MS);
	assert_int_equal(latencies.n, 3);
	assert_int_equal(latencies.n_missed, 1);
}

/* Without a request there is no latency. */
static void test_nothing_measured(void **state)
{
	struct latencies latencies;

	latencies_begin(&latencies, 100, 10);
	latencies_end(&latencies, 99, 99);
	assert_close(latencies_quantile_ns(&latencies, 0.5), NAN, 0);
	assert_close(latencies_quantile_ns(&latencies, 1), NAN, 0);
}

/* A value between a smaller and a larger one is found again, whatever its magnitude: exactly below 256 ns, and within
 * the error around each power of two up to 2^62. */
static void test_buckets_hold_any_latency(void **state)
{
	struct latencies latencies;

	for (int bit = 0; bit < 62; bit++) {
		for (int step = -1; step <= 3; step++) {
			gint64 power = G_GINT64_CONSTANT(1) << bit, value = power + (step < 3 ? step : power / 2);

			latencies_begin(&latencies, 0, 0);
			latencies_done(&latencies, 0);
			latencies_done(&latencies, value);
			latencies_done(&latencies, G_MAXINT64);
			assert_close(latencies_quantile_ns(&latencies, 0.5), (double)value,
			             value < 256 ? 0 : BUCKET_ERROR);
			assert_true(latencies_quantile_ns(&latencies, 1) == (double)G_MAXINT64);
		}
	}
}

/* Quantiles against those of the sorted values, which R's quantile() vouches for: of many skewed latencies, and of
 * few. */
static void test_quantiles_of_sorted_values(void **state)
{
	static const double ps[] = {0, 0.001, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1};
	static const gsize sizes[] = {1, 2, 3, 10, 10007};
	g_autofree double *values = g_new(double, 10007);
	struct stream random = stream_init(1, 1);
	struct latencies latencies;

	for (gsize s = 0; s < G_N_ELEMENTS(sizes); s++) {
		latencies_begin(&latencies, 0, 0);
		for (gsize i = 0; i < sizes[s]; i++) {
			double uniform = (double)(stream_bits(&random) >> 11) / 9007199254740992.0;
			gint64 value = (gint64)(50000 * pow(1 - uniform, -1.5));

			values[i] = (double)value;
			latencies_done(&latencies, value);
		}
		sort_values(values, sizes[s]);
		for (gsize i = 0; i < G_N_ELEMENTS(ps); i++)
			assert_close(latencies_quantile_ns(&latencies, ps[i]),
			             quantile_sorted(values, sizes[s], ps[i]), BUCKET_ERROR);
		assert_true(latencies_quantile_ns(&latencies, 1) == values[sizes[s] - 1]);
	}
}

/* A chunk plays for 100 ms and the buffer for 2 s. A reader that is away from the start until 3 s lets the music
 * stand still for one second, once; then it fills the buffer again. At 4 s three of four seconds were played. */
static void test_player_after_one_stall(void **state)
{
	struct player player;
	gint64 now_ns = 3000 * MS;

	player_begin(&player, 0, 100 * MS, 2000 * MS);
	assert_int_equal(player_room_ns(&player), 100 * MS);
	for (; player_room_ns(&player) <= now_ns; now_ns += MS)
		player_feed(&player, now_ns);
	/* twenty chunks, 1 ms each, fill it */
	assert_int_equal(player.dry_ns, 3000 * MS + 20 * 100 * MS);
	assert_close(player_end(&player, 4000 * MS), 75, 1e-12);
	assert_int_equal(player.n_underruns, 1);
}

/* The same reader still away at 5 s: played for two of five seconds, and that it stands still at the end is an
 * underrun. */
static void test_player_stalled_at_the_end(void **state)
{
	struct player player;

	player_begin(&player, 0, 100 * MS, 2000 * MS);
	assert_close(player_end(&player, 5000 * MS), 40, 1e-12);
	assert_int_equal(player.n_underruns, 1);
}

/* A reader of half the speed: chunk k arrives at 0.1 + 0.2 k seconds, the buffer is empty at 2 + 0.1 (k - 1). From
 * the 19th chunk on the music waits 0.1 s for each; up to the 29th, at 5.9 s, that is eleven times. */
static void test_player_with_a_slow_reader(void **state)
{
	struct player player;

	player_begin(&player, 0, 100 * MS, 2000 * MS);
	for (int k = 1; k <= 29; k++)
		player_feed(&player, (100 + 200 * k) * MS);
	assert_close(player_end(&player, 5900 * MS), 100 * (1 - 1.1 / 5.9), 1e-12);
	assert_int_equal(player.n_underruns, 11);
}

/* A chunk that arrives just when the buffer has run empty is in time; of no time at all nothing can be said. */
static void test_player_just_in_time(void **state)
{
	struct player player;

	player_begin(&player, 0, 100 * MS, 200 * MS);
	player_feed(&player, 200 * MS);
	player_feed(&player, 300 * MS);
	assert_close(player_end(&player, 400 * MS), 100, 0);
	assert_int_equal(player.n_underruns, 0);
	player_begin(&player, 50, 100 * MS, 200 * MS);
	assert_close(player_end(&player, 50), NAN, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_a_stall_counts_for_all_that_it_delayed),
	    cmocka_unit_test(test_a_stall_to_the_end_counts),
	    cmocka_unit_test(test_what_waits_behind_the_last_request),
	    cmocka_unit_test(test_missed_from_the_period_on),
	    cmocka_unit_test(test_nothing_measured),
	    cmocka_unit_test(test_buckets_hold_any_latency),
	    cmocka_unit_test(test_quantiles_of_sorted_values),
	    cmocka_unit_test(test_player_after_one_stall),
	    cmocka_unit_test(test_player_stalled_at_the_end),
	    cmocka_unit_test(test_player_with_a_slow_reader),
	    cmocka_unit_test(test_player_just_in_time),
	};

	return cmocka_run_group_tests_name("latencies", tests, NULL, NULL);
}
