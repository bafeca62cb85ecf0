#include "check.h"

#include <math.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../src/channel.h"
#include "../src/observe.h"
#include "../src/run.h"
#include "../src/run_json.h"

static void make_pair(struct channel *channel, int *other)
{
	int fds[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
	channel_init(channel, fds[0]);
	*other = fds[1];
}

/* A message comes whole however it is cut on its way, and what is no object of JSON is passed over. */
static void test_lines(void **state)
{
	static const char *const parts[] = {"\n\n[1]\nnoise {\n{\"run\":", " 12}\n{\"a\"", ":1}\n"};
	struct channel channel;
	json_t *message;
	int other;

	make_pair(&channel, &other);
	assert_int_equal(write(other, parts[0], strlen(parts[0])), strlen(parts[0]));
	assert_null(channel_receive(&channel, 0.01));
	for (guint i = 1; i < 3; i++)
		assert_int_equal(write(other, parts[i], strlen(parts[i])), strlen(parts[i]));
	message = channel_receive(&channel, 1);
	assert_int_equal(json_integer_value(json_object_get(message, "run")), 12);
	json_decref(message);
	message = channel_receive(&channel, 1);
	assert_int_equal(json_integer_value(json_object_get(message, "a")), 1);
	json_decref(message);
	close(other);
	assert_null(channel_receive(&channel, -1));
	channel_clear(&channel);
}

/* What one side sends the other receives, also through the channel's own hands. */
static void test_both_ways(void **state)
{
	struct channel a, b;
	json_t *message;
	int other;

	make_pair(&a, &other);
	channel_init(&b, other);
	assert_true(channel_send(&a, json_pack("{s:s}", "text", "line\nend"), NULL));
	message = channel_receive(&b, 1);
	assert_string_equal(json_string_value(json_object_get(message, "text")), "line\nend");
	json_decref(message);
	channel_clear(&a);
	channel_clear(&b);
}

static struct run_result make_result(void)
{
	struct run_result result = {.outcome = OUTCOME_DISTURBED,
				    .message = g_strdup("I/O error on vda"),
				    .flags = FLAG_NO_FLUSH | FLAG_EMULATED,
				    .started_us = G_GINT64_CONSTANT(1700000000123456)};
	struct measurement seen = {&observe_metrics[1], 4096};
	const double own[] = {0.1, NAN}, rows[] = {1, 2};

	for (guint i = 0; i < RUN_METRICS; i++)
		result.values[i] = i ? 1.0 / (i + 2) : NAN;
	result.own = g_array_new(FALSE, FALSE, sizeof(double));
	g_array_append_vals(result.own, own, 2);
	result.observation.measurements = g_array_new(FALSE, FALSE, sizeof seen);
	g_array_append_val(result.observation.measurements, seen);
	result.observation.messages = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(result.observation.messages, g_strdup("blk_update_request: I/O error \xff"));
	result.observation.series.at_s = g_array_new(FALSE, FALSE, sizeof(double));
	g_array_append_vals(result.observation.series.at_s, rows, 2);
	result.observation.series.values = g_array_new(FALSE, FALSE, sizeof(double));
	for (guint i = 0; vmstat_columns[i].name; i++)
		g_array_append_vals(result.observation.series.values, rows, 2);
	return result;
}

/* A result is the same after its way through JSON: to the last bit of its numbers, missing ones missing, text that is
 * no UTF-8 made readable. */
static void test_result_there_and_back(void **state)
{
	struct run_result result = make_result(), read;
	json_t *object = run_result_to_json(&result);
	const struct measurement *seen;

	assert_true(run_result_from_json(object, NULL, &read, NULL));
	assert_int_equal(read.outcome, OUTCOME_DISTURBED);
	assert_string_equal(read.message, "I/O error on vda");
	assert_true(read.flags == (FLAG_NO_FLUSH | FLAG_EMULATED));
	assert_true(read.started_us == result.started_us);
	assert_true(isnan(read.values[0]));
	assert_memory_equal(read.values + 1, result.values + 1, sizeof(double) * (RUN_METRICS - 1));
	assert_int_equal(read.own->len, 2);
	assert_true(g_array_index(read.own, double, 0) == 0.1 && isnan(g_array_index(read.own, double, 1)));
	assert_int_equal(read.observation.measurements->len, 1);
	seen = &g_array_index(read.observation.measurements, struct measurement, 0);
	assert_ptr_equal(seen->metric, &observe_metrics[1]);
	assert_true(seen->value == 4096);
	assert_int_equal(read.observation.series.at_s->len, 2);
	assert_int_equal(read.observation.series.values->len, 2 * read.observation.series.n_columns);
	assert_true(g_utf8_validate(read.observation.messages->pdata[0], -1, NULL));
	json_decref(object);
	run_result_clear(&result);
	run_result_clear(&read);
}

/* What is no result is an error and leaves nothing behind. */
static void test_no_result(void **state)
{
	static const char *const texts[] = {"{}", "{\"outcome\":\"fine\",\"values\":[0,0,0,0,0,0,0]}",
					    "{\"outcome\":\"ok\",\"values\":[1]}"};

	for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autoptr(GError) error = NULL;
		struct run_result result;
		json_t *object = json_loads(texts[i], 0, NULL);

		assert_false(run_result_from_json(object, NULL, &result, &error));
		assert_non_null(error);
		json_decref(object);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_lines),
	    cmocka_unit_test(test_both_ways),
	    cmocka_unit_test(test_result_there_and_back),
	    cmocka_unit_test(test_no_result),
	};

	return cmocka_run_group_tests_name("channel", tests, NULL, NULL);
}
