#ifndef CHANNEL_H
#define CHANNEL_H

#include <glib.h>
#include <jansson.h>

/* Messages between this program on a machine and in a guest: JSON objects, a line each, over a serial port. Lines that
 * are none, such as empty ones that only show that the other side lives, are passed over. */
struct channel {
	int fd; /* owned */
	GString *received;
	gint64 heard_us; /* monotonic: when anything was received last, or the channel was made */
};
void channel_init(struct channel *channel, int fd);
void channel_clear(struct channel *channel);

/* Takes the message over. */
gboolean channel_send(struct channel *channel, json_t *message, GError **error);

/* The next message, to be json_decref()ed. NULL where none comes within so many seconds (below 0: waits for ever), or
 * where the other end is gone. */
json_t *channel_receive(struct channel *channel, double seconds);

#endif
