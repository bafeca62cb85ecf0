#include "bca.h"

#include "statistic.h"

static size_t work_bytes(const struct statistic_input *in)
{
	size_t n = in->samples[0].n;

	if (in->n_samples == 2)
		n += in->samples[1].n;
	return (BCA_REPLICATES + n) * sizeof(double) + in->samples[0].n * sizeof(uint32_t);
}

static struct estimate interval(const struct statistic_input *in, enum bca_statistic statistic, const double *y,
				size_t ny)
{
	const struct values *x = &in->samples[0];
	double *replicates = in->work, *prepared = replicates + BCA_REPLICATES;
	struct bca b = bca_prepare(statistic, x->x, x->n, y, ny, in->seed, prepared);

	bca_resample(&b, 0, BCA_REPLICATES, replicates, (uint32_t *)(void *)(prepared + x->n + ny));
	return bca_interval(&b, replicates, BCA_REPLICATES, in->level);
}

static void mean_compute(const struct statistic_input *in, union statistic_result *out)
{
	out->estimate = interval(in, BCA_MEAN, NULL, 0);
}

static void median_compute(const struct statistic_input *in, union statistic_result *out)
{
	out->estimate = interval(in, BCA_MEDIAN, NULL, 0);
}

static void mean_ratio_compute(const struct statistic_input *in, union statistic_result *out)
{
	out->estimate = interval(in, BCA_MEAN_RATIO, in->samples[1].x, in->samples[1].n);
}

static void geometric_ratio_compute(const struct statistic_input *in, union statistic_result *out)
{
	out->estimate = interval(in, BCA_GEOMETRIC_RATIO, in->samples[1].x, in->samples[1].n);
}

const struct statistic statistic_bca_mean = {
    .name = "bca-mean",
    .help = "mean with the bootstrap's BCa interval",
    .kind = STATISTIC_ESTIMATE,
    .is_random = true,
    .min_n = 2,
    .work_bytes = work_bytes,
    .compute = mean_compute,
};

const struct statistic statistic_bca_median = {
    .name = "bca-median",
    .help = "median with the bootstrap's BCa interval",
    .kind = STATISTIC_ESTIMATE,
    .is_random = true,
    .min_n = 2,
    .work_bytes = work_bytes,
    .compute = median_compute,
};

const struct statistic statistic_bca_mean_ratio = {
    .name = "bca-mean-ratio",
    .help = "ratio of means with the bootstrap's BCa interval",
    .kind = STATISTIC_SHIFT,
    .domain = STATISTIC_POSITIVE,
    .shift = SHIFT_RATIO,
    .is_random = true,
    .min_n = 2,
    .work_bytes = work_bytes,
    .compute = mean_ratio_compute,
};

const struct statistic statistic_bca_geometric_ratio = {
    .name = "bca-geometric-ratio",
    .help = "ratio of geometric means with the bootstrap's BCa interval",
    .kind = STATISTIC_SHIFT,
    .domain = STATISTIC_POSITIVE,
    .shift = SHIFT_RATIO,
    .is_random = true,
    .min_n = 2,
    .work_bytes = work_bytes,
    .compute = geometric_ratio_compute,
};
