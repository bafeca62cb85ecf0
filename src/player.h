#ifndef PLAYER_H
#define PLAYER_H

#include <glib.h>

/* A player of music and its buffer, which is read into chunk by chunk and empties as time goes by. Arithmetic only:
 * times are nanoseconds of any one clock, what the buffer holds is known by the time at which it will be empty. */
struct player {
	gint64 start_ns;
	gint64 chunk_ns, buffer_ns; /* how long a chunk, and the full buffer, plays */
	gint64 dry_ns;              /* when the buffer will be empty, or became so */
	gint64 silent_ns;           /* how long the music stood still, up to the last chunk */
	guint64 n_underruns;
};

/* The buffer is full, and the music begins. */
void player_begin(struct player *player, gint64 start_ns, gint64 chunk_ns, gint64 buffer_ns);

/* When there will be room for a chunk. */
gint64 player_room_ns(const struct player *player);

/* A chunk has arrived. */
void player_feed(struct player *player, gint64 now_ns);

/* The time from start to end_ns during which the music played, in %; NaN where there is no such time. What stood
 * still at the end is an underrun, too: to be called once. */
double player_end(struct player *player, gint64 end_ns);

#endif
