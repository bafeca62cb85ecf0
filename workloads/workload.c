#include "workload.h"

#include <string.h>

#define WORKLOADS(row)                                                                                                 \
	row(dd1) row(dd2) row(dd3) row(dd1_dir) row(dd2_dir) row(dd3_dir) row(net1) row(mix3)                          \
	row(seqread) row(randread) row(mmap) row(lsr)                                                                  \
	row(qsbench)                                                                                                   \
	row(growfiles) row(Lgf02) row(Lgf03) row(Lgfile1) row(Lgf04) row(tiobench) row(mtest)                          \
	row(dbench) row(fio) row(sysbench) row(bonnie) row(stress_ng)                                                  \
	row(idle) row(cmd)

#define DECLARE(name) extern const struct workload workload_##name;
#define ADDRESS(name) &workload_##name,

WORKLOADS(DECLARE)

const struct workload *const workload_table[] = {WORKLOADS(ADDRESS) NULL};

const struct workload *workload_find(const char *name)
{
	for (const struct workload *const *row = workload_table; *row; row++) {
		if (strcmp((*row)->name, name) == 0)
			return *row;
	}
	return NULL;
}
