/* The bare loop that the copy workloads are measured against: one MiB of random data, written again and again to a new
 * file, then fdatasync(). usage: bench_copy FILE BYTES buffered|direct plain|huge; prints MB/s. */

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#define BLOCK ((size_t)1 << 20)
#define HUGE_PAGE ((size_t)2 << 20)
#define PAGE ((size_t)4096)

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void die(const char *what)
{
	perror(what);
	exit(1);
}

/* A block of random data: on whatever pages malloc() gives, or on a huge page. */
static unsigned char *make_block(int huge)
{
	unsigned char *block = aligned_alloc(huge ? HUGE_PAGE : PAGE, huge ? HUGE_PAGE : BLOCK);

	if (!block)
		die("aligned_alloc");
	if (huge && madvise(block, HUGE_PAGE, MADV_HUGEPAGE) < 0)
		die("madvise");
	for (size_t done = 0; done < BLOCK;) {
		ssize_t n = getrandom(block + done, BLOCK - done, 0);

		if (n < 0)
			die("getrandom");
		done += (size_t)n;
	}
	return block;
}

int main(int argc, char **argv)
{
	unsigned long long bytes = argc == 5 ? strtoull(argv[2], NULL, 10) / BLOCK * BLOCK : 0;
	unsigned char *block;
	double start_s;
	int fd;

	if (bytes == 0) {
		fprintf(stderr, "usage: bench_copy FILE BYTES buffered|direct plain|huge\n");
		return 2;
	}
	block = make_block(strcmp(argv[4], "huge") == 0);
	fd = open(argv[1], O_WRONLY | O_CREAT | O_EXCL | (strcmp(argv[3], "direct") == 0 ? O_DIRECT : 0), 0600);
	if (fd < 0)
		die(argv[1]);
	start_s = now_s();
	for (unsigned long long at = 0; at < bytes; at += BLOCK) {
		if (pwrite(fd, block, BLOCK, (off_t)at) != (ssize_t)BLOCK)
			die("pwrite");
	}
	if (fdatasync(fd) < 0)
		die("fdatasync");
	printf("%.3f\n", (double)bytes / 1e6 / (now_s() - start_s));
	free(block);
	return close(fd) == 0 ? 0 : 1;
}
