#ifndef STATS_STREAM_H
#define STATS_STREAM_H

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

#endif
