#include "flag.h"

const struct flag_info flag_table[] = {
    {EST_TOO_FEW, "too-few", "fewer values than the procedure needs"},
    {EST_CONSTANT, "constant", "the values do not vary beyond rounding"},
    {EST_NOT_FINITE, "not-finite", "a value is not a finite number"},
    {EST_NOT_POSITIVE, "not-positive", "a value is zero or negative, so it has no logarithm and no ratio"},
    {EST_UNBOUNDED, "unbounded", "the data leave the interval without an end at this level"},
    {FLAG_NO_DATA, "no-data", "there is no complete run"},
    {FLAG_FAILURES, "failures", "runs that failed are counted, not averaged"},
    {FLAG_ONE_BOOT, "one-boot", "a side rests on one boot: runs of one boot are not independent of each other"},
    {FLAG_FEW_BOOTS, "few-boots", "a side rests on fewer than three boots"},
    {FLAG_CROSS_SITTING, "cross-sitting",
     "the sides were not measured in the same sittings: machines drift between them"},
    {FLAG_ORDER_CONFOUNDED, "order-confounded",
     "all runs of one side came before all of the other: drift looks like a difference"},
    {FLAG_FACTS_DIFFER, "facts-differ", "the machine differed between the sides"},
    {FLAG_MIXED_LEVELS, "mixed-levels", "a side mixes levels of a factor that was not asked about"},
    {FLAG_BROKEN_BLOCKS, "broken-blocks", "blocks without a complete pair were left out"},
    {FLAG_CACHE_NOT_DROPPED, "cache-not-dropped", "the kernel refused to drop its caches before the run"},
    {FLAG_CACHE_OWN_FILES, "cache-own-files", "without root only the workload's own files were dropped from the cache"},
    {0, NULL, NULL},
};

guint32 flag_of_name(const char *name)
{
	for (const struct flag_info *info = flag_table; info->flag; info++)
		if (g_str_equal(info->name, name))
			return info->flag;
	return 0;
}
