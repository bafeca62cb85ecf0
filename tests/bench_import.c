/* usage: bench_import csv ROWS     a tidy table of so many runs
 *        bench_import logs BYTES   documents of fio as it prints them, two jobs each, one after the other
 *        bench_import jobs BYTES   one such document with as many jobs as fill it */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../stats/stream.h"

static double draw(struct stream *stream)
{
	return (double)(stream_bits(stream) >> 11) * 0x1p-53;
}

static void csv(struct stream *stream, unsigned long rows)
{
	puts("run,label,block,outcome,elapsed_s,throughput_MB/s");
	for (unsigned long i = 0; i < rows; i++)
		printf("%lu,%s,%lu,%s,%.6f,%.3f\n", i + 1, i & 1 ? "after" : "before", i / 100 + 1,
		       i % 997 ? "ok" : "failed", 90 + 20 * draw(stream), 700 + 200 * draw(stream));
}

static unsigned long latency(struct stream *stream, const char *name, int has_percentiles)
{
	static const double percentiles[] = {1,  5,  10, 20, 30,   40,   50,    60,   70,
					     80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99};
	double mean = 1e4 + 9e4 * draw(stream);
	unsigned long n = 0;

	n += (unsigned long)printf("        \"%s\" : {\n          \"min\" : %.0f,\n          \"max\" : %.0f,\n"
				   "          \"mean\" : %f,\n          \"stddev\" : %f,\n          \"N\" : %.0f%s\n",
				   name, mean / 9, mean * 9, mean, mean / 5, mean, has_percentiles ? "," : "");
	for (size_t i = 0; has_percentiles && i < sizeof percentiles / sizeof *percentiles; i++)
		n += (unsigned long)printf("%s            \"%f\" : %.0f%s", i ? "" : "          \"percentile\" : {\n",
					   percentiles[i], mean * (0.5 + (double)i / 10),
					   i < 16 ? ",\n" : "\n          }\n");
	return n + (unsigned long)printf("        },\n");
}

static unsigned long direction(struct stream *stream, const char *name, int is_used)
{
	double n = is_used ? 2e4 + 2e4 * draw(stream) : 0;
	unsigned long length = (unsigned long)printf(
	    "      \"%s\" : {\n        \"io_bytes\" : %.0f,\n        \"io_kbytes\" : %.0f,\n        \"bw_bytes\" : "
	    "%.0f,\n"
	    "        \"bw\" : %.0f,\n        \"iops\" : %f,\n        \"runtime\" : %d,\n        \"total_ios\" : %.0f,\n"
	    "        \"short_ios\" : 0,\n        \"drop_ios\" : 0,\n",
	    name, 4096 * n, 4 * n, 409.6 * n, 0.4 * n, n / 10, is_used ? 10000 : 0, n);

	length += latency(stream, "slat_ns", 0);
	length += latency(stream, "clat_ns", is_used);
	length += latency(stream, "lat_ns", 0);
	return length + (unsigned long)printf(
			    "        \"bw_min\" : %.0f,\n        \"bw_max\" : %.0f,\n        \"bw_agg\" : 100.000000,\n"
			    "        \"bw_mean\" : %f,\n        \"bw_dev\" : 1.500000,\n        \"bw_samples\" : 19,\n"
			    "        \"iops_min\" : 1,\n        \"iops_max\" : 9,\n        \"iops_mean\" : 4.500000,\n"
			    "        \"iops_stddev\" : 0.500000,\n        \"iops_samples\" : 19\n      },\n",
			    n / 3, n / 2, n / 2.5);
}

static unsigned long job(struct stream *stream, unsigned long number, const char *separator)
{
	unsigned long length = (unsigned long)printf("%s    {\n      \"jobname\" : \"job%lu\",\n      \"groupid\" : "
						     "0,\n      \"error\" : 0,\n      \"eta\" : 0,\n"
						     "      \"elapsed\" : 11,\n      \"job options\" : {\n        "
						     "\"rw\" : \"randrw\",\n        \"bs\" : \"4k\"\n"
						     "      },\n",
						     separator, number);

	length += direction(stream, "read", 1) + direction(stream, "write", 1) + direction(stream, "trim", 0);
	return length +
	       (unsigned long)printf("      \"job_runtime\" : 10000,\n      \"usr_cpu\" : %f,\n"
				     "      \"sys_cpu\" : %f,\n      \"ctx\" : %.0f,\n      \"majf\" : 0,\n"
				     "      \"minf\" : 60,\n      \"iodepth_level\" : {\n        \"1\" : 100.0\n"
				     "      }\n    }",
				     5 * draw(stream), 9 * draw(stream), 1e5 * draw(stream));
}

/* Writes a document of so many jobs, 0: of as many as take so many bytes. */
static unsigned long document(struct stream *stream, unsigned long n_jobs, unsigned long bytes, unsigned long second)
{
	unsigned long n = 0,
		      length = (unsigned long)printf(
			  "{\n  \"fio version\" : \"fio-3.33\",\n  \"timestamp\" : %lu,\n"
			  "  \"timestamp_ms\" : %lu000,\n  \"global options\" : {\n    \"ioengine\" : \"psync\"\n"
			  "  },\n  \"jobs\" : [\n",
			  second, second);

	for (; n_jobs ? n < n_jobs : length < bytes; n++)
		length += job(stream, n + 1, n ? ",\n" : "");
	return length + (unsigned long)printf("\n  ]\n}\n");
}

int main(int argc, char **argv)
{
	struct stream stream = stream_init(1, 0);
	unsigned long size = argc == 3 ? strtoul(argv[2], NULL, 10) : 0, written = 0;

	if (argc == 3 && !strcmp(argv[1], "csv")) {
		csv(&stream, size);
	} else if (argc == 3 && !strcmp(argv[1], "logs")) {
		for (unsigned long second = 1700000000; written < size; second += 20)
			written += document(&stream, 2, 0, second);
	} else if (argc == 3 && !strcmp(argv[1], "jobs")) {
		document(&stream, 0, size, 1700000000);
	} else {
		fprintf(stderr, "usage: bench_import csv ROWS | logs BYTES | jobs BYTES\n");
		return 2;
	}
	return fflush(stdout) ? 3 : 0;
}
