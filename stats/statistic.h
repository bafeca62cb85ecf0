#ifndef STATS_STATISTIC_H
#define STATS_STATISTIC_H

#include <stdbool.h>
#include <stddef.h>

#include "describe.h"
#include "estimate.h"

/* The contract of a statistic. A file in this folder exports const struct statistics named statistic_NAME, statistic.c
 * has a row for each, and tests/test_stats_contract.c walks the rows. A statistic reads its samples in any order and
 * leaves them as they are, allocates nothing, calls GSL only inside its domain (no GSL error is ever raised) and
 * answers what it cannot answer with NaN, or an interval from -infinity to infinity, and the flag that says why. */

/* What goes in and which member of the result comes out. */
enum statistic_kind {
	STATISTIC_SUMMARY,    /* one sample -> summary */
	STATISTIC_ESTIMATE,   /* one sample -> estimate */
	STATISTIC_CONTRAST,   /* two samples, baseline first -> contrast */
	STATISTIC_PAIRED,     /* two samples of one length, value by value a pair, baseline first -> contrast */
	STATISTIC_ADJUSTMENT, /* one sample, of p values -> values, one for each */
	STATISTIC_SHIFT,      /* two samples, baseline first -> estimate of how they differ */
	STATISTIC_TEST,       /* two samples, baseline first -> test */
	STATISTIC_GROUPS,     /* two samples or more -> test */
	STATISTIC_SERIES,     /* one sample in time order -> test */
	STATISTIC_MARKS       /* one sample -> values, one for each: 1 where it is marked, else 0 */
};

/* STATISTIC_SHIFT, what the value is and becomes with the sides swapped: a difference in the unit of the data, negated;
 * a ratio, its reciprocal; an effect without unit, negated. */
enum statistic_shift { SHIFT_DIFFERENCE, SHIFT_RATIO, SHIFT_EFFECT };

/* What a value may be. Outside: EST_NOT_FINITE always, and EST_NOT_POSITIVE for the second. */
enum statistic_domain { STATISTIC_ANY, STATISTIC_POSITIVE };

struct values {
	const double *x;
	size_t n;
};

struct statistic_input {
	const struct values *samples; /* as many as the kind has: statistic_samples() */
	size_t n_samples;             /* STATISTIC_GROUPS: how many */
	double level;                 /* of intervals, in (0,1) */
	void *work;                   /* statistic_work_bytes() bytes, aligned as malloc does */
	double *values;               /* STATISTIC_ADJUSTMENT, STATISTIC_MARKS: where the result goes */
	unsigned long seed;           /* of those that draw random numbers */
};

union statistic_result {
	struct description summary;
	struct estimate estimate;
	struct contrast contrast;
	struct test test;
};

struct statistic {
	const char *name;
	const char *help; /* one line */
	enum statistic_kind kind;
	enum statistic_domain domain;
	enum statistic_shift shift;
	bool is_paired; /* STATISTIC_SHIFT, STATISTIC_TEST: the samples are of one length, value by value a pair */
	bool is_random; /* the answer depends on the seed: of a shift the interval, else the p value */
	size_t min_n;   /* a sample of fewer values gets EST_TOO_FEW */
	size_t (*work_bytes)(const struct statistic_input *in); /* NULL: none */
	void (*compute)(const struct statistic_input *in, union statistic_result *out);
};

extern const struct statistic *const statistic_table[];   /* ends with NULL */
const struct statistic *statistic_find(const char *name); /* NULL: there is none */

/* 1 or 2; STATISTIC_GROUPS, which takes more, has 2 at least. */
size_t statistic_samples(const struct statistic *statistic);
size_t statistic_work_bytes(const struct statistic *statistic, const struct statistic_input *in);

#endif
