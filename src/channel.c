#include "channel.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "err.h"
#include "whole_file.h"

/* A line longer than this is no message of ours. */
#define LINE_MAX_BYTES (64u << 20)

void channel_init(struct channel *channel, int fd)
{
	*channel = (struct channel){.fd = fd, .received = g_string_new(NULL), .heard_us = g_get_monotonic_time()};
}

void channel_clear(struct channel *channel)
{
	if (channel->fd >= 0)
		close(channel->fd);
	channel->fd = -1;
	if (channel->received)
		g_string_free(channel->received, TRUE);
	channel->received = NULL;
}

gboolean channel_send(struct channel *channel, json_t *message, GError **error)
{
	char *text = json_dumps(message, JSON_COMPACT);
	/* a line of its own, whatever was written before */
	g_autofree char *line = g_strconcat("\n", text, "\n", NULL);
	gboolean ok = whole_file_put(channel->fd, line, strlen(line));

	free(text);
	json_decref(message);
	return ok || err_errno(error, errno, "cannot write to the other side of a virtual machine's serial port");
}

/* Takes the first line that is an object. */
static json_t *take_message(struct channel *channel)
{
	char *end;
	json_t *message = NULL;

	while (!message && (end = memchr(channel->received->str, '\n', channel->received->len))) {
		gsize length = (gsize)(end - channel->received->str);

		if (length) {
			message = json_loadb(channel->received->str, length, 0, NULL);
			if (message && !json_is_object(message))
				g_clear_pointer(&message, json_decref);
		}
		g_string_erase(channel->received, 0, (gssize)length + 1);
	}
	return message;
}

json_t *channel_receive(struct channel *channel, double seconds)
{
	double end_s = clock_monotonic_s() + seconds;
	json_t *message = take_message(channel);

	while (!message) {
		struct pollfd readable = {.fd = channel->fd, .events = POLLIN};
		int left_ms = seconds < 0 ? -1 : (int)(1000 * MAX(end_s - clock_monotonic_s(), 0));
		char bytes[16384];
		ssize_t n;

		if (poll(&readable, 1, left_ms) <= 0 || channel->received->len > LINE_MAX_BYTES)
			return NULL;
		n = read(channel->fd, bytes, sizeof bytes);
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n <= 0)
			return NULL;
		channel->heard_us = g_get_monotonic_time();
		g_string_append_len(channel->received, bytes, n);
		message = take_message(channel);
	}
	return message;
}
