#include "import_log.h"

#include <string.h>

/* dd among the output of others; a file of nothing else is read by the importer of that name, in any language.
 *
 *   268435456 bytes (268 MB, 256 MiB) copied, 0.412267 s, 651 MB/s
 *   268435456 bytes transferred in 0.412267 secs (651116000 bytes/sec)
 *
 * Bytes and seconds make the bandwidth, for the rate is rounded. */

static const struct metric bandwidth = {"bandwidth", "MB/s", BETTER_HIGHER, NULL};

static gboolean take_dd(struct log *log, const struct scanned *found)
{
	static const char *const verbs[] = {"copied, ", "transferred in "};
	double bytes = found->number[0], seconds;

	for (gsize i = 0; i < G_N_ELEMENTS(verbs); i++) {
		const char *at = strstr(found->text[0], verbs[i]);
		const char *end = at ? scan_time(at + strlen(verbs[i]), &seconds) : NULL;

		if (!end || !g_str_has_prefix(end, " s"))
			continue;
		if (seconds > 0)
			log_run_result(&log->runs, "dd", &bandwidth, bytes / seconds / 1e6);
		return TRUE;
	}
	return FALSE;
}

const struct recogniser log_dd[] = {
    {"%n bytes %r", .take = take_dd},
    {NULL},
};
