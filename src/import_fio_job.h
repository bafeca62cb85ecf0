#ifndef IMPORT_FIO_JOB_H
#define IMPORT_FIO_JOB_H

#include <glib.h>

struct json_document;

/* A job in a document of fio: its name, and its numbers. Without group_reporting each of numjobs has an entry of its
 * own: they ran side by side, and are parts of one. */
struct fio_job {
	const char *name;
	GPtrArray *parts; /* const json_t *: entries of "jobs" */
};

/* Whether a member with this key, which no value is taken from, can be left out of a document. */
gboolean fio_unused(const char *key);

/* The document's jobs by name, as struct fio_job *, in order of appearance. NULL where it has none. */
GPtrArray *fio_jobs_of(const struct json_document *document);

gboolean fio_job_has_failed(const struct fio_job *job);

/* What all directions did together, NaN where not known: bytes, and the longest time in ms. */
struct fio_work {
	double bytes, runtime_ms;
};
struct fio_work fio_job_work(const struct json_document *document, const struct fio_job *job);

/* Sets the row's values. Bandwidth is in MB/s (10^6 bytes), latencies in us, whatever the version of fio: before 3.0
 * io_bytes and bw were in KiB and latencies in us; since then there are bytes, and ns. Directions without I/O have
 * none. Of several parts bytes and operations are added up and divided by the longest time, as fio does for
 * group_reporting; their percentiles cannot be put together. Source: fio's stat.c. */
void fio_job_values(const struct json_document *document, const struct fio_job *job, guint row);

#endif
