/* usage: simulate [REPETITIONS [PROCESSES]]
 * Prints how often the analysis is wrong on data whose truth is known, each figure with its bound; exit status 1 where
 * one is broken, 3 where it cannot be done. */

#include "simulate.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_errno.h>

struct report {
	const struct scenario *last;
	guint broken;
};

/* Returns whether it is beyond its bound. */
static gboolean print_figure(const struct bound *bound, double percent)
{
	gboolean is_broken = percent < bound->low || percent > bound->high;
	char range[32] = "";

	if (!isnan(bound->low) && !isnan(bound->high))
		g_snprintf(range, sizeof range, " (%.1f to %.1f)", bound->low, bound->high);
	else if (!isnan(bound->high))
		g_snprintf(range, sizeof range, " (at most %.1f)", bound->high);
	else if (!isnan(bound->low))
		g_snprintf(range, sizeof range, " (at least %.1f)", bound->low);
	printf("   %s %.2f%s%s", bound->name, percent, range, is_broken ? " BROKEN" : "");
	return is_broken;
}

static void print_row(const struct simulate_row *row, gpointer data)
{
	struct report *report = data;

	if (report->last != row->scenario)
		printf("\n%s\n", row->scenario->name);
	report->last = row->scenario;
	printf("  n %2u", row->n);
	for (gsize i = 0; i < G_N_ELEMENTS(row->scenario->bounds); i++) {
		const struct bound *bound = &row->scenario->bounds[i];

		if (bound->event)
			report->broken += print_figure(bound, simulate_percent(row, bound));
	}
	printf("\n");
	fflush(stdout);
}

int main(int argc, char **argv)
{
	guint64 repetitions = 20000, processes = g_get_num_processors();
	struct report report = {0};

	if ((argc > 1 && !g_ascii_string_to_unsigned(argv[1], 10, 1, 100000000, &repetitions, NULL)) ||
	    (argc > 2 && !g_ascii_string_to_unsigned(argv[2], 10, 1, 1000, &processes, NULL)) || argc > 3) {
		fprintf(stderr, "usage: simulate [REPETITIONS [PROCESSES]]\n");
		return 2;
	}
	gsl_set_error_handler_off();
	printf("per cent of %u repetitions\n", (guint)repetitions);
	if (!simulate((guint)repetitions, (guint)processes, print_row, &report)) {
		fprintf(stderr, "simulate: %s\n", strerror(errno));
		return 3;
	}
	printf("\n%u bounds broken\n", report.broken);
	return report.broken ? 1 : 0;
}
