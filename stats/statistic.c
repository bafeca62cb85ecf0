#include "statistic.h"

#include <string.h>

/* clang-format off */
#define STATISTICS(row) \
	row(describe) \
	row(mean) \
	row(geometric_mean) \
	row(welch) \
	row(welch_log) \
	row(paired) \
	row(paired_log) \
	row(median) \
	row(mann_whitney) \
	row(signed_rank) \
	row(hodges_lehmann) \
	row(hodges_lehmann_paired) \
	row(bca_mean) \
	row(bca_median) \
	row(bca_mean_ratio) \
	row(bca_geometric_ratio) \
	row(anova) \
	row(welch_anova) \
	row(kruskal_wallis) \
	row(benjamini_hochberg) \
	row(permutation) \
	row(permutation_paired) \
	row(brunner_munzel) \
	row(brunner_munzel_permuted) \
	row(kolmogorov_smirnov) \
	row(fieller) \
	row(lag_one) \
	row(ljung_box) \
	row(mann_kendall) \
	row(wald_wolfowitz) \
	row(dip) \
	row(gesd) \
	row(mad_outliers) \
	row(fences) \
	row(hedges_g) \
	row(cliff_delta) \
	row(anderson_darling) \
	row(holm)
/* clang-format on */

#define DECLARE(name) extern const struct statistic statistic_##name;
#define ADDRESS(name) &statistic_##name,

STATISTICS(DECLARE)

const struct statistic *const statistic_table[] = {STATISTICS(ADDRESS) NULL};

const struct statistic *statistic_find(const char *name)
{
	for (size_t i = 0; statistic_table[i]; i++) {
		if (strcmp(statistic_table[i]->name, name) == 0)
			return statistic_table[i];
	}
	return NULL;
}

size_t statistic_samples(const struct statistic *statistic)
{
	switch (statistic->kind) {
	case STATISTIC_CONTRAST:
	case STATISTIC_PAIRED:
	case STATISTIC_SHIFT:
	case STATISTIC_TEST:
	case STATISTIC_GROUPS:
		return 2;
	case STATISTIC_SUMMARY:
	case STATISTIC_ESTIMATE:
	case STATISTIC_ADJUSTMENT:
	case STATISTIC_SERIES:
	case STATISTIC_MARKS:
		break;
	}
	return 1;
}

size_t statistic_work_bytes(const struct statistic *statistic, const struct statistic_input *in)
{
	return statistic->work_bytes ? statistic->work_bytes(in) : 0;
}
