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
    {FLAG_FACTS_DIFFER, "facts-differ", "machine or conditions differed between the sides"},
    {FLAG_MIXED_LEVELS, "mixed-levels", "a side mixes levels of a factor that was not asked about"},
    {FLAG_BROKEN_BLOCKS, "broken-blocks", "blocks without a complete pair were left out"},
    {FLAG_CALIBRATED, "calibrated", "the interval allows for the noise in the calibration of this machine"},
    {FLAG_STOPPED_EARLY, "stopped-early",
     "runs ended when a rule was met (--until): with a width as the rule a 95% interval covers 93%"},
    {FLAG_NOT_ALONE, "not-alone", "another vmstat-bench ran on this machine at the same time"},
    {FLAG_MIXED_FACTS, "mixed-facts", "runs that count as alike were made under different conditions"},
    {FLAG_FRAGILE, "fragile", "another test of the same runs disagrees"},
    {FLAG_DRIFT, "drift", "values rise or fall in the order of the runs"},
    {FLAG_AUTOCORRELATED, "autocorrelated", "runs are like those just before them, so that intervals are too narrow"},
    {FLAG_OUTLIERS, "outliers", "values stand out; none is left out"},
    {FLAG_MODES, "modes", "values gather in more than one place, where a mean says little"},
    {FLAG_CACHE_NOT_DROPPED, "cache-not-dropped", "the kernel refused to drop its caches before the run"},
    {FLAG_CACHE_OWN_FILES, "cache-own-files", "without root only the workload's own files were dropped from the cache"},
    {FLAG_NOT_ON_DEVICE, "not-on-device", "when the run ended, not all that it wrote had reached the disk"},
    {FLAG_NO_FLUSH, "no-flush", "no flush reached the disk: what the run wrote may be only in the disk's own cache"},
    {FLAG_DIRTY_LEFT, "dirty-left", "the run left data in memory that were still to be written"},
    {FLAG_OTHER_CPU, "other-cpu", "other processes used more than 10% of a CPU during the run"},
    {FLAG_STEAL, "steal", "the host gave more than 5% of the CPU time to others during the run"},
    {FLAG_THROTTLED, "throttled", "the processor was slowed down during the run, being too hot"},
    {FLAG_EMULATED, "emulated",
     "the virtual machine's processor was emulated: the kernel's code was measured, not processor or storage"},
    {0, NULL, NULL},
};

flag_set flag_of_name(const char *name)
{
	for (const struct flag_info *info = flag_table; info->flag; info++)
		if (g_str_equal(info->name, name))
			return info->flag;
	return 0;
}
