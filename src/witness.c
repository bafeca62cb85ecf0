#include "witness.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../workloads/workload.h"
#include "alone.h"
#include "clock.h"
#include "err.h"
#include "flag.h"
#include "place.h"
#include "plan.h"
#include "probe.h"
#include "run.h"

/* After a run that took less and wrote nothing, its like are observed no more: looking takes about a millisecond. */
#define OBSERVED_S 0.02
/* Beside the directory of the runs: the files of probes are no part of what is emptied after each. */
#define PROBES "../probes"

void witness_init(struct witness *witness, const struct plan *plan, struct probes *probes)
{
	*witness = (struct witness){.observer = observer_new(),
				    .probes = probes,
				    .is_short = g_new0(gboolean, plan->cells->len),
				    .probes_fd = -1};
}

static void close_directory(struct witness *witness)
{
	if (witness->probes_fd >= 0)
		close(witness->probes_fd);
	witness->probes_fd = -1;
}

void witness_clear(struct witness *witness)
{
	observer_free(witness->observer);
	g_free(witness->is_short);
	close_directory(witness);
}

/* CPU time of all that was waited for: runs, their set-up, probes. */
static double children_s(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_CHILDREN, &usage) < 0 ? 0 : timeval_s(&usage.ru_utime) + timeval_s(&usage.ru_stime);
}

/* Anew for each run, and not kept over a reset: the filesystem may be another, or be mounted again. */
static gboolean open_directory(struct witness *witness, const struct place *place, GError **error)
{
	if (mkdirat(place->dirfd, PROBES, 0700) == 0 || errno == EEXIST)
		witness->probes_fd = openat(place->dirfd, PROBES, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return witness->probes_fd >= 0 ||
	       err_errno(error, errno, "cannot make a directory for the probes beside '%s'", place->path);
}

gboolean witness_prepare(struct witness *witness, const struct place *place, GError **error)
{
	gboolean ok;

	if (!witness->probes)
		return TRUE;
	ok = open_directory(witness, place, error) && probes_prepare(witness->probes, witness->probes_fd, error);
	close_directory(witness);
	return ok;
}

gboolean witness_begin(struct witness *witness, guint cell, const struct workload_config *config, const struct place *place,
		       GError **error)
{
	if (witness->probes && (!open_directory(witness, place, error) ||
				!probes_start(witness->probes, witness->probes_fd, error))) {
		witness_abandon(witness);
		return FALSE;
	}
	witness->looks = witness->probes || !witness->is_short[cell];
	if (witness->looks) {
		witness->children_s = children_s();
		witness->is_alone = alone_is();
		observer_begin(witness->observer, place->dirfd, config->workload->here);
	}
	return TRUE;
}

void witness_tick(struct witness *witness)
{
	if (witness->looks)
		observer_tick(witness->observer);
}

void witness_end(struct witness *witness, guint cell, struct run_result *result, char **warning)
{
	g_autoptr(GArray) probed = g_array_new(FALSE, FALSE, sizeof(struct measurement));
	struct observation *seen = &result->observation;

	/* the probes first: what they used is not to be taken for somebody else's */
	if (witness->probes)
		probes_stop(witness->probes, probed, warning);
	close_directory(witness);
	if (witness->looks) {
		observer_end(witness->observer, children_s() - witness->children_s, seen);
		if (!witness->is_alone || !alone_is())
			result->flags |= FLAG_NOT_ALONE;
	}
	witness->looks = FALSE;
	if (!seen->measurements)
		seen->measurements = g_array_ref(probed);
	else
		g_array_append_vals(seen->measurements, probed->data, probed->len);
	result->flags |= seen->flags;
	if (result->outcome == OUTCOME_OK && seen->disturbance) {
		result->outcome = OUTCOME_DISTURBED;
		result->message = g_strdup(seen->disturbance);
	}
	witness->is_short[cell] =
	    result->outcome == OUTCOME_OK && result->values[RUN_ELAPSED] < OBSERVED_S && !seen->has_written;
}

void witness_abandon(struct witness *witness)
{
	g_autoptr(GArray) none = g_array_new(FALSE, FALSE, sizeof(struct measurement));
	g_autofree char *warning = NULL;

	witness->looks = FALSE;
	if (witness->probes)
		probes_stop(witness->probes, none, &warning);
	close_directory(witness);
}
