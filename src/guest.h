#ifndef GUEST_H
#define GUEST_H

#include <glib.h>
#include <jansson.h>

#include "channel.h"
#include "qemu.h"

struct run_result;

/* A virtual machine that is there, and what is heard of it. */
struct guest {
	void (*tick)(void *data); /* called about once a second while it is listened to */
	void *data;
	gboolean is_up; /* of what follows there is something */
	struct qemu qemu;
	struct channel channel;
	double ticked_s;
};

gboolean guest_start(struct guest *guest, const struct qemu_arg *arg, GError **error);
/* Ends it at once; nothing where there is none. */
void guest_end(struct guest *guest);

/* What a wait for a message came to: one; a request to us to stop; the guest's end; no sign of life. */
enum guest_heard { HEARD_MESSAGE, HEARD_STOP, HEARD_END, HEARD_NOTHING };
/* Waits for the guest's next message, to be json_decref()ed, for limit_s, and for silence_s without any sign of life.
 */
enum guest_heard guest_listen(struct guest *guest, double silence_s, double limit_s, json_t **message);

/* The guest is gone, or as good as gone, and is ended: that is what came of the run, told with the end of its console.
 * when: "during the run". */
void guest_fail_run(struct guest *guest, enum guest_heard heard, const char *when, struct run_result *result);

#endif
