#ifndef STATS_STREAM_H
#define STATS_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Random numbers that depend on (seed, number of the stream) and nothing else, so that work may be shared out in any
 * way. source: SplitMix64 (Steele, Lea & Flood 2014), a counter that is hashed; two streams of length 10^6 overlap with
 * a probability of 10^-13 */
struct stream {
	uint64_t counter;
};

static inline uint64_t stream_mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static inline struct stream stream_init(uint64_t seed, uint64_t number)
{
	return (struct stream){stream_mix(stream_mix(seed + 0x9e3779b97f4a7c15u) + number * 0xd1342543de82ef95u)};
}

static inline uint64_t stream_bits(struct stream *s)
{
	return stream_mix(s->counter += 0x9e3779b97f4a7c15u);
}

/* A whole number below n (n from 1 to 2^32), each as likely as the others, from 32 random bits; more are drawn in the
 * one case of 2^32 / n that would favour some.   source: Lemire 2019 */
static inline uint32_t stream_below(struct stream *s, uint32_t bits, uint64_t n)
{
	uint64_t product = bits * n;

	if ((uint32_t)product < n) {
		uint32_t favoured = (uint32_t)((UINT64_C(1) << 32) % n);

		while ((uint32_t)product < favoured)
			product = (stream_bits(s) >> 32) * n;
	}
	return (uint32_t)(product >> 32);
}

/* A whole number below n from 64 bits; what it leaves of them is for the next. */
static inline uint64_t stream_digit(uint64_t *bits, uint64_t n)
{
	unsigned __int128 product = (unsigned __int128)*bits * n;

	*bits = (uint64_t)product;
	return (uint64_t)(product >> 64);
}

#define STREAM_FOUR_BELOW 16384 /* 2^14: at most one time in 256 to be drawn again */

/* Four whole numbers below n (n from 1 to STREAM_FOUR_BELOW), each four as likely as any other: the digits, to the base
 * n, of one number below n^4, which is drawn as above but from 64 bits. False where they must be drawn again, at most
 * once in 2^64 / n^4: a loop in here would take registers from that of the caller.
 * source: Brackett-Rozinsky & Lemire 2024, "Batched Ranged Random Integer Generation" */
static inline bool stream_four_below(struct stream *s, uint64_t n, uint64_t four[4])
{
	uint64_t bits = stream_bits(s), n4 = n * n * n * n;

	four[0] = stream_digit(&bits, n);
	four[1] = stream_digit(&bits, n);
	four[2] = stream_digit(&bits, n);
	four[3] = stream_digit(&bits, n);
	return !(__builtin_expect(bits < n4, false) && bits < -n4 % n4);
}

#endif
