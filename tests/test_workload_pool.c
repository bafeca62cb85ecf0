#include "test_workload.h"

#include "../workloads/pool.h"

/* The first numbers after 1234567, as Java's and others' SplitMix64 give them (rosettacode.org, "Pseudo-random
 * numbers/Splitmix64"). */
static void test_random_numbers(void **state)
{
	static const guint64 want[] = {G_GUINT64_CONSTANT(6457827717110365317), G_GUINT64_CONSTANT(3203168211198807973),
				       G_GUINT64_CONSTANT(9817491932198370423), G_GUINT64_CONSTANT(4593380528125082431),
				       G_GUINT64_CONSTANT(16408922859458223821)};
	guint64 random = 1234567;

	for (gsize i = 0; i < G_N_ELEMENTS(want); i++)
		assert_true(random_next(&random) == want[i]);
}

static void assert_zeros(const unsigned char *data, gsize size)
{
	for (gsize i = 0; i < size; i++)
		assert_int_equal(data[i], 0);
}

/* Nonce, number of the file and offset stand at the start of each 4 KiB of the file and nowhere else; a piece of the
 * file gets what lies in it, however small it is, and nothing beside it is touched. */
static void test_stamps(void **state)
{
	enum { SIZE = 3 * 4096, AT = 8192, GAP = 64 };
	g_autofree unsigned char *whole = g_malloc0(SIZE), *piece = g_malloc0(GAP + 5000 + GAP);

	pool_stamp(whole, SIZE, AT, NONCE, 7);
	for (gsize i = 0; i < 3; i++) {
		const guint64 want[] = {NONCE, 7, AT + i * 4096};

		assert_memory_equal(whole + i * 4096, want, sizeof want);
		assert_zeros(whole + i * 4096 + sizeof want, 4096 - sizeof want);
	}
	for (gsize size = 1; size <= 5000; size = size * 3 + 1) {
		for (gsize at = 0; at + size <= SIZE; at += size) {
			memset(piece, 0, GAP + 5000 + GAP);
			pool_stamp(piece + GAP, size, AT + at, NONCE, 7);
			assert_memory_equal(piece + GAP, whole + at, size);
			assert_zeros(piece, GAP);
			assert_zeros(piece + GAP + size, GAP);
		}
	}
}

/* Parts do not overlap, each begins a page, and all of each can be written; zeros are zeros. */
static void test_parts(void **state)
{
	struct pool pool;

	assert_true(pool_open(&pool, 3, 5000, TRUE, NULL));
	for (guint part = 0; part < 3; part++) {
		unsigned char *data = pool_part(&pool, part);

		assert_int_equal((guintptr)data % 4096, 0);
		assert_zeros(data, 5000);
		memset(data, 1 + (int)part, 5000);
	}
	for (guint part = 0; part < 3; part++) {
		assert_int_equal(pool_part(&pool, part)[0], 1 + part);
		assert_int_equal(pool_part(&pool, part)[4999], 1 + part);
	}
	pool_close(&pool);
	pool_close(&pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_random_numbers),
	    cmocka_unit_test(test_stamps),
	    cmocka_unit_test(test_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
