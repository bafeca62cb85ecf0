#ifndef FLAG_H
#define FLAG_H

#include <glib.h>

#include "../stats/estimate.h"

/* A set of flags. */
typedef guint64 flag_set;

/* A caveat, carried as data by a run, an estimate or a contrast. The low 8 bits are those of the statistics. */
enum flag {
	FLAG_NO_DATA = 1u << 8,            /* no complete run */
	FLAG_FAILURES = 1u << 9,           /* runs that failed are counted, not averaged */
	FLAG_ONE_BOOT = 1u << 10,          /* a side rests on one boot */
	FLAG_FEW_BOOTS = 1u << 11,         /* a side rests on fewer than three boots */
	FLAG_CROSS_SITTING = 1u << 12,     /* the sides were not measured in the same sittings */
	FLAG_ORDER_CONFOUNDED = 1u << 13,  /* all runs of one side came before all of the other */
	FLAG_FACTS_DIFFER = 1u << 14,      /* the machine differed between the sides */
	FLAG_MIXED_LEVELS = 1u << 15,      /* a side mixes levels of a factor that was not asked about */
	FLAG_BROKEN_BLOCKS = 1u << 16,     /* blocks without a complete pair were left out */
	FLAG_FRAGILE = 1u << 17,           /* another test of the same data disagrees with the verdict's */
	FLAG_DRIFT = 1u << 18,             /* values rise or fall in the order of the runs */
	FLAG_AUTOCORRELATED = 1u << 19,    /* values are like those just before them */
	FLAG_OUTLIERS = 1u << 20,          /* some values stand out; none is left out */
	FLAG_MODES = 1u << 21,             /* values gather in more than one place */
	FLAG_CACHE_NOT_DROPPED = 1u << 22, /* the kernel refused to drop caches */
	FLAG_CACHE_OWN_FILES = 1u << 23,   /* without root: only the workload's own files were dropped from the cache */
	FLAG_CALIBRATED = 1u << 24,        /* the interval allows for the noise in a calibration of this machine */
	FLAG_STOPPED_EARLY = 1u << 25,     /* the number of runs was chosen by looking at them */
	FLAG_NOT_ALONE = 1u << 26,         /* another benchmark ran on the machine at the same time */
	FLAG_MIXED_FACTS = 1u << 27,       /* the runs of a side were made under different conditions */
	FLAG_NOT_ON_DEVICE = 1u << 28,     /* not all that the run wrote had reached the disk at its end */
	FLAG_NO_FLUSH = 1u << 29,          /* the disk was not told to empty its cache */
	FLAG_DIRTY_LEFT = 1u << 30,        /* the run left dirty memory behind */
	FLAG_OTHER_CPU = 1u << 31,         /* other processes used the CPU meanwhile */
	FLAG_STEAL = G_GUINT64_CONSTANT(1) << 32,    /* the host gave CPU time to others */
	FLAG_THROTTLED = G_GUINT64_CONSTANT(1) << 33, /* the processor was slowed down */
	FLAG_EMULATED = G_GUINT64_CONSTANT(1) << 34  /* measured in a virtual machine without hardware support */
};

struct flag_info {
	flag_set flag;
	const char *name; /* as it stands in JSON and in the store: "one-boot" */
	const char *text; /* a sentence for people, lower case, no full stop */
	const char *remedy; /* what to do about it, the same way; NULL: nothing */
};

/* Every flag, ends with flag 0. */
extern const struct flag_info flag_table[];

/* 0 where there is no such name: stores written by other versions may hold more. */
flag_set flag_of_name(const char *name);

#endif
