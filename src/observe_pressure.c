#include "observe_internal.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* The time for which some or all of the tasks waited. "full" of the processor is not defined for a whole machine and
 * always 0.   source: Documentation/accounting/psi.rst of Linux */
static const struct {
	const char *path;
	enum observe_metric some, full; /* OBSERVE_METRICS: none */
} resources[] = {
    {"/proc/pressure/cpu", OBSERVE_CPU_PRESSURE, OBSERVE_METRICS},
    {"/proc/pressure/memory", OBSERVE_MEMORY_PRESSURE, OBSERVE_MEMORY_PRESSURE_FULL},
    {"/proc/pressure/io", OBSERVE_IO_PRESSURE, OBSERVE_IO_PRESSURE_FULL},
};

struct stall {
	double some_us, full_us; /* since boot; NaN where the kernel does not say */
};

struct pressure {
	int fds[G_N_ELEMENTS(resources)];
	struct stall before[G_N_ELEMENTS(resources)];
};

struct pressure *pressure_new(void)
{
	struct pressure *pressure = g_new0(struct pressure, 1);

	for (guint i = 0; i < G_N_ELEMENTS(resources); i++)
		pressure->fds[i] = open(resources[i].path, O_RDONLY | O_CLOEXEC);
	return pressure;
}

void pressure_free(struct pressure *pressure)
{
	if (!pressure)
		return;
	for (guint i = 0; i < G_N_ELEMENTS(resources); i++)
		if (pressure->fds[i] >= 0)
			close(pressure->fds[i]);
	g_free(pressure);
}

/* total= of the line that begins so. */
static double find_total(const char *text, const char *line)
{
	const char *start = strstr(text, line);
	const char *total = start ? strstr(start, "total=") : NULL;

	return total ? (double)g_ascii_strtoull(total + strlen("total="), NULL, 10) : NAN;
}

static struct stall read_stall(int fd)
{
	char text[512];
	ssize_t n = fd < 0 ? -1 : pread(fd, text, sizeof text - 1, 0);

	text[MAX(n, 0)] = '\0';
	return (struct stall){find_total(text, "some "), find_total(text, "full ")};
}

void pressure_begin(struct pressure *pressure)
{
	for (guint i = 0; i < G_N_ELEMENTS(resources); i++)
		pressure->before[i] = read_stall(pressure->fds[i]);
}

void pressure_end(const struct pressure *pressure, double elapsed_s, double *values)
{
	for (guint i = 0; i < G_N_ELEMENTS(resources); i++) {
		struct stall after = read_stall(pressure->fds[i]);

		values[resources[i].some] = 100 * (after.some_us - pressure->before[i].some_us) / 1e6 / elapsed_s;
		if (resources[i].full != OBSERVE_METRICS)
			values[resources[i].full] =
			    100 * (after.full_us - pressure->before[i].full_us) / 1e6 / elapsed_s;
	}
}
