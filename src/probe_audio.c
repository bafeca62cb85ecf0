#include "probe_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <unistd.h>

#include "err.h"
#include "unit.h"

#define FILE_BYTES (16u << 20)
#define DEFAULT_STREAM "320k/2s"
#define RATE_MIN 1e3
#define RATE_MAX 100e6
#define BUFFER_MAX_S 3600.0

enum { AUDIO_PLAYED, AUDIO_UNDERRUNS, AUDIO_METRICS_N };

/* What a chunk and the buffer play. */
struct audio_config {
	gint64 chunk_ns, buffer_ns;
};

/* bits per second; k and M are powers of 1000, as bit rates have them. */
static gboolean parse_rate(const char *text, double *rate, GError **error)
{
	const char *end = number_read(text, rate);

	if (end && *end) {
		*rate *= *end == 'k' ? 1e3 : *end == 'M' ? 1e6 : NAN;
		end++;
	}
	return (end && !*end && *rate >= RATE_MIN && *rate <= RATE_MAX) ||
	       err_usage(error, "'%s' is not a bit rate from 1k to 100M", text);
}

static gboolean audio_parse(struct probe *probe, const char *argument, GError **error)
{
	g_auto(GStrv) words = g_strsplit(argument ? argument : DEFAULT_STREAM, "/", 2);
	struct audio_config *config;
	double rate, buffer_s, chunk_s;

	if (g_strv_length(words) != 2)
		return err_usage(error, "'%s' is not RATE/BUFFER, as in " DEFAULT_STREAM, argument);
	if (!parse_rate(words[0], &rate, error) || !duration_parse(words[1], &buffer_s, error))
		return FALSE;
	chunk_s = PROBE_BLOCK * 8 / rate;
	if (buffer_s > BUFFER_MAX_S)
		return err_usage(error, "a buffer of '%s' is more than an hour", words[1]);
	/* with less the next chunk could not be asked for before the last one is played */
	if (buffer_s < 2 * chunk_s)
		return err_usage(error, "a buffer of '%s' at '%s' bit/s holds less than two chunks of 4 KiB", words[1],
		                 words[0]);
	probe->config = config = g_new(struct audio_config, 1);
	*config = (struct audio_config){(gint64)(chunk_s * 1e9), (gint64)(buffer_s * 1e9)};
	return TRUE;
}

static gboolean audio_open(struct probe *probe, int dirfd, GError **error)
{
	return probe_open_file(probe, dirfd, O_RDONLY, error);
}

static void audio_begin(struct probe *probe, gint64 start_ns)
{
	const struct audio_config *config = probe->config;

	player_begin(&probe->shared->player, start_ns, config->chunk_ns, config->buffer_ns);
}

/* The next chunk, through the cache and with its read-ahead, as players read. What was read is dropped from it, so
 * that it is cold when its turn comes again. */
static gboolean audio_request(struct probe *probe, GError **error)
{
	ssize_t n = read(probe->fd, probe->block, PROBE_BLOCK);
	off_t behind;
	int failure;

	if (n == 0 && lseek(probe->fd, 0, SEEK_SET) == 0)
		n = read(probe->fd, probe->block, PROBE_BLOCK);
	if (n < 0)
		return err_errno(error, errno, "cannot read 4 KiB");
	if (n < PROBE_BLOCK)
		return err_runtime(error, "its file is shorter than it was");
	behind = lseek(probe->fd, 0, SEEK_CUR);
	failure = behind < 0 ? errno : posix_fadvise(probe->fd, 0, behind, POSIX_FADV_DONTNEED);
	return !failure || err_errno(error, failure, "cannot drop its file from the cache");
}

static gboolean audio_run(struct probe *probe, GError **error)
{
	struct probe_shared *shared = probe->shared;

	for (;;) {
		probe_sleep_until(player_room_ns(&shared->player));
		if (!audio_request(probe, error))
			return FALSE;
		/* what arrives after the end of the run is no part of it */
		if (!__atomic_load_n(&shared->stop_ns, __ATOMIC_ACQUIRE))
			player_feed(&shared->player, probe_now_ns());
	}
}

static void audio_measure(struct probe *probe, gint64 stop_ns, gint64 end_ns, double *values)
{
	struct player *player = &probe->shared->player;

	values[AUDIO_PLAYED] = player_end(player, stop_ns);
	values[AUDIO_UNDERRUNS] = isnan(values[AUDIO_PLAYED]) ? NAN : (double)player->n_underruns;
}

static const struct metric audio_metrics[] = {
    [AUDIO_PLAYED] = {"audio_played", "%", BETTER_HIGHER, "time that a player's music played and did not stand still"},
    [AUDIO_UNDERRUNS] = {"audio_underruns", "", BETTER_LOWER, "times that a player's buffer ran empty"},
    [AUDIO_METRICS_N] = {0},
};

const struct probe_kind probe_audio = {
    .name = "audio",
    .argument = "RATE/BUFFER",
    .summary = "plays a cold file at a bit rate from a buffer of some seconds (default: " DEFAULT_STREAM ")",
    .metrics = audio_metrics,
    .file_bytes = FILE_BYTES,
    .parse = audio_parse,
    .open = audio_open,
    .request = audio_request,
    .begin = audio_begin,
    .run = audio_run,
    .measure = audio_measure,
};
