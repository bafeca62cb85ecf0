#include "import_fio_job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dataset.h"
#include "import_common.h"
#include "import_json.h"
#include "shared.h"

#define KIB 1024.0
#define MB 1e6
#define PERCENTILE 99.0

/* "mixed" stands for all three with unified_rw_reporting; syncs have a latency and no bytes. */
static const char *const directions[] = {"read", "write", "trim", "mixed", "sync"};

/* A mean over the operations of all parts. */
struct mean {
	double sum, weight;
};

struct latency {
	struct mean us;
	double percentile_us; /* NaN where there is none, or more than one part */
};

/* One direction of a job. */
struct io {
	guint parts;
	double bytes, operations, runtime_ms; /* of all; the longest */
	double bandwidth, iops;               /* as fio has them, bytes/s and 1/s: of the last part */
	struct latency clat, lat;
};

static void fio_job_free(struct fio_job *job)
{
	g_ptr_array_unref(job->parts);
	g_free(job);
}

static int compare_texts(const void *key, const void *text)
{
	return strcmp(key, *(const char *const *)text);
}

gboolean fio_unused(const char *key)
{
	/* what is most of a document, by strcmp(); all else is asked for, or an option */
	static const char *const unused[] = {
	    "N", "bins", "bw_agg", "bw_dev", "bw_max", "bw_mean", "bw_min", "bw_samples", "disk_util",
	    "iodepth_complete", "iodepth_level", "iodepth_submit", "iops_max", "iops_mean", "iops_min",
	    "iops_samples", "iops_stddev", "latency_ms", "latency_ns", "latency_us", "max", "min", "slat", "slat_ns",
	    "stddev"};

	if (g_ascii_isdigit(*key))
		return g_ascii_strtod(key, NULL) != PERCENTILE;
	return bsearch(key, unused, G_N_ELEMENTS(unused), sizeof(*unused), compare_texts) != NULL;
}

GPtrArray *fio_jobs_of(const struct json_document *document)
{
	const json_t *entries = json_object_get(document->root, "jobs"), *entry;
	g_autoptr(GPtrArray) jobs = g_ptr_array_new_with_free_func((GDestroyNotify)fio_job_free);
	g_autoptr(GHashTable) index = g_hash_table_new(g_str_hash, g_str_equal);
	gsize i;

	/* so called where a server ran the jobs */
	if (!entries)
		entries = json_object_get(document->root, "client_stats");
	json_array_foreach (entries, i, entry) {
		const char *text = json_get_text(entry, "jobname"), *name = text && *text ? text : "fio";
		struct fio_job *job = g_hash_table_lookup(index, name);

		if (!json_is_object(entry))
			continue;
		if (!job) {
			job = g_new(struct fio_job, 1);
			*job = (struct fio_job){name, g_ptr_array_new()};
			g_ptr_array_add(jobs, job);
			g_hash_table_insert(index, shared(name), job);
		}
		g_ptr_array_add(job->parts, shared(entry));
	}
	return jobs->len ? g_steal_pointer(&jobs) : NULL;
}

gboolean fio_job_has_failed(const struct fio_job *job)
{
	for (guint i = 0; i < job->parts->len; i++) {
		double code = json_get_number(g_ptr_array_index(job->parts, i), "error");

		if (!isnan(code) && code != 0)
			return TRUE;
	}
	return FALSE;
}

/* NaN where it is missing or nonsense. */
static double measured(const struct json_document *document, const json_t *object, const char *key)
{
	double value = json_get_number(object, key);

	if (value < 0)
		json_warn(document, "%s is negative: taken for a missing value", key);
	return value < 0 ? NAN : value;
}

static void mean_add(struct mean *mean, double value, double weight)
{
	/* fio writes 0 for what it was told not to measure */
	if (!(value > 0))
		return;
	mean->sum += value * weight;
	mean->weight += weight;
}

static double percentile_of(const json_t *latency)
{
	json_t *percentiles = json_object_get(latency, "percentile"), *value;
	const char *key;

	/* the number of digits in the keys varies, and some are written twice */
	json_object_foreach (percentiles, key, value)
		if (g_ascii_strtod(key, NULL) == PERCENTILE && json_is_number(value))
			return json_number_value(value);
	return NAN;
}

/* name: "clat" or "lat" */
static void latency_add(const struct json_document *document, struct latency *latency, const json_t *object,
			const char *name, double weight)
{
	g_autofree char *name_ns = g_strconcat(name, "_ns", NULL);
	const json_t *in_ns = json_object_get(object, name_ns), *found = in_ns ? in_ns : json_object_get(object, name);
	double us = in_ns ? 1e-3 : 1, percentile = percentile_of(found);

	mean_add(&latency->us, us * measured(document, found, "mean"), weight);
	latency->percentile_us = percentile > 0 ? us * percentile : NAN;
}

static void io_add(const struct json_document *document, struct io *io, const json_t *part, const char *direction)
{
	const json_t *object = json_object_get(part, direction);
	/* io_bytes was in KiB until io_kbytes stood beside it */
	double scale = json_object_get(object, "io_kbytes") ? 1 : KIB;
	double bytes = scale * measured(document, object, "io_bytes");
	double operations = measured(document, object, "total_ios");
	double bandwidth = measured(document, object, "bw_bytes");

	if (!(bytes > 0) && !(operations > 0))
		return;
	io->parts++;
	io->bytes += isnan(bytes) ? 0 : bytes;
	io->operations += isnan(operations) ? 0 : operations;
	io->runtime_ms = fmax(io->runtime_ms, measured(document, object, "runtime"));
	io->bandwidth = isnan(bandwidth) ? KIB * measured(document, object, "bw") : bandwidth;
	io->iops = measured(document, object, "iops");
	latency_add(document, &io->clat, object, "clat", operations > 0 ? operations : 1);
	latency_add(document, &io->lat, object, "lat", operations > 0 ? operations : 1);
}

static struct io io_of(const struct json_document *document, const struct fio_job *job, const char *direction)
{
	struct io io = {.runtime_ms = NAN, .clat.percentile_us = NAN, .lat.percentile_us = NAN};

	for (guint i = 0; i < job->parts->len; i++)
		io_add(document, &io, g_ptr_array_index(job->parts, i), direction);
	if (io.parts > 1) {
		io.bandwidth = 1e3 * io.bytes / io.runtime_ms;
		io.iops = 1e3 * io.operations / io.runtime_ms;
		io.clat.percentile_us = io.lat.percentile_us = NAN;
	}
	return io;
}

struct fio_work fio_job_work(const struct json_document *document, const struct fio_job *job)
{
	struct fio_work work = {.runtime_ms = NAN};

	for (gsize i = 0; i < G_N_ELEMENTS(directions); i++) {
		struct io io = io_of(document, job, directions[i]);

		if (io.parts) {
			work.bytes += io.bytes;
			work.runtime_ms = fmax(work.runtime_ms, io.runtime_ms);
		}
	}
	return work;
}

static void set(const struct json_document *document, guint row, const char *direction, const char *what,
		const char *unit, enum better better, double value)
{
	g_autofree char *name = g_strdup_printf("%s_%s", direction, what);

	/* nothing that has happened took no time, or had no bytes */
	if (value > 0 && isfinite(value))
		import_value(document->dataset, row, &(struct metric){.name = name, .unit = unit, .better = better},
			     value);
}

static void set_direction(const struct json_document *document, const char *direction, const struct io *io, guint row)
{
	set(document, row, direction, "bandwidth", "MB/s", BETTER_HIGHER, io->bandwidth / MB);
	set(document, row, direction, "iops", "/s", BETTER_HIGHER, io->iops);
	set(document, row, direction, "latency", "us", BETTER_LOWER, io->lat.us.sum / io->lat.us.weight);
	set(document, row, direction, "latency_p99", "us", BETTER_LOWER, io->lat.percentile_us);
	set(document, row, direction, "clat", "us", BETTER_LOWER, io->clat.us.sum / io->clat.us.weight);
	set(document, row, direction, "clat_p99", "us", BETTER_LOWER, io->clat.percentile_us);
	set(document, row, direction, "runtime", "s", BETTER_LOWER, io->runtime_ms / 1e3);
	set(document, row, direction, "io", "MB", BETTER_NONE, io->bytes / MB);
}

/* The sum over all parts; NaN where a part has none. */
static double sum_of_parts(const struct json_document *document, const struct fio_job *job, const char *key)
{
	double sum = 0;

	for (guint i = 0; i < job->parts->len; i++)
		sum += measured(document, g_ptr_array_index(job->parts, i), key);
	return sum;
}

void fio_job_values(const struct json_document *document, const struct fio_job *job, guint row)
{
	static const struct {
		const char *key;
		enum run_metric metric;
	} of_process[] = {{"ctx", RUN_CTX_SWITCHES}, {"majf", RUN_MAJOR_FAULTS}, {"minf", RUN_MINOR_FAULTS}};
	struct dataset *dataset = document->dataset;

	for (gsize i = 0; i < G_N_ELEMENTS(directions); i++) {
		struct io io = io_of(document, job, directions[i]);

		if (io.parts)
			set_direction(document, directions[i], &io, row);
	}
	import_value(dataset, row, &run_metrics[RUN_CPU],
		     (sum_of_parts(document, job, "usr_cpu") + sum_of_parts(document, job, "sys_cpu")) /
			 job->parts->len);
	for (gsize i = 0; i < G_N_ELEMENTS(of_process); i++)
		import_value(dataset, row, &run_metrics[of_process[i].metric],
			     sum_of_parts(document, job, of_process[i].key));
}
