#include "shuffle.h"

#include "pool.h"

#define ROUNDS 4

/* Bits of each half of a number below n, as the network splits it; both halves have as many. */
static guint half_bits(guint64 n)
{
	guint bits = 1;

	while (bits < 32 && n > G_GUINT64_CONSTANT(1) << (2 * bits))
		bits++;
	return bits;
}

guint64 shuffle(guint64 index, guint64 n, guint64 seed)
{
	guint bits = half_bits(n);
	guint64 mask = (G_GUINT64_CONSTANT(1) << bits) - 1;

	do {
		guint64 key = seed;

		for (guint round = 0; round < ROUNDS; round++) {
			guint64 low = index & mask, mixed = random_next(&key) ^ low;

			index = low << bits | ((index >> bits ^ random_next(&mixed)) & mask);
		}
	} while (index >= n);
	return index;
}
