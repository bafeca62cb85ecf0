#include "guest.h"

#include <math.h>
#include <poll.h>
#include <string.h>
#include <sys/wait.h>

#include "clock.h"
#include "exec.h"
#include "run.h"

#define TICK_S 1.0
#define WAIT_MS 100   /* between looks at the console and at requests to stop */
#define LAST_LINES 40 /* of the console, kept with a run that the guest did not outlive */

gboolean guest_start(struct guest *guest, const struct qemu_arg *arg, GError **error)
{
	guest->is_up = qemu_start(arg, &guest->qemu, error);
	if (guest->is_up)
		channel_init(&guest->channel, g_steal_fd(&guest->qemu.channel_fd));
	else
		qemu_kill(&guest->qemu);
	return guest->is_up;
}

void guest_end(struct guest *guest)
{
	if (!guest->is_up)
		return;
	channel_clear(&guest->channel);
	qemu_kill(&guest->qemu);
	guest->is_up = FALSE;
}

enum guest_heard guest_listen(struct guest *guest, double silence_s, double limit_s, json_t **message)
{
	double end_s = clock_monotonic_s() + limit_s;

	for (;;) {
		struct pollfd fds[] = {{.fd = guest->channel.fd, .events = POLLIN},
				       {.fd = guest->qemu.console_fd, .events = POLLIN}};
		gboolean lives = qemu_is_alive(&guest->qemu);
		double now_s;

		/* the console at once: a kernel does not wait long for its words to be taken */
		if (lives)
			poll(fds, G_N_ELEMENTS(fds), WAIT_MS);
		qemu_poll(&guest->qemu);
		*message = channel_receive(&guest->channel, 0);
		if (*message)
			return HEARD_MESSAGE;
		if (exec_stop_signal())
			return HEARD_STOP;
		if (!lives)
			return HEARD_END;
		now_s = clock_monotonic_s();
		if (now_s > end_s || (double)(g_get_monotonic_time() - guest->channel.heard_us) / 1e6 > silence_s)
			return HEARD_NOTHING;
		if (now_s >= guest->ticked_s + TICK_S) {
			guest->tick(guest->data);
			guest->ticked_s = now_s;
		}
	}
}

/* How it ended, for people. */
static char *describe_end(struct qemu *qemu)
{
	g_autofree char *last = NULL;

	if (WIFSIGNALED(qemu->status))
		return g_strdup_printf("qemu was killed by signal %d (%s)", WTERMSIG(qemu->status),
				       g_strsignal(WTERMSIG(qemu->status)));
	last = qemu_console_tail(qemu, 1);
	return *last ? g_steal_pointer(&last) : g_strdup_printf("qemu's exit status was %d", WEXITSTATUS(qemu->status));
}

/* The kernel's words where it panicked; NULL where it did not. source: kernel/panic.c of Linux */
static const char *find_panic(char *const *lines)
{
	for (; *lines; lines++) {
		const char *panic = strstr(*lines, "Kernel panic - not syncing: ");

		if (panic)
			return panic + strlen("Kernel panic - not syncing: ");
	}
	return NULL;
}

void guest_fail_run(struct guest *guest, enum guest_heard heard, const char *when, struct run_result *result)
{
	g_autofree char *console = qemu_console_tail(&guest->qemu, G_MAXUINT), *end = NULL;
	g_auto(GStrv) lines = g_strsplit(console, "\n", -1);
	const char *panic = find_panic(lines);
	guint n = g_strv_length(lines);

	*result = (struct run_result){.outcome = heard == HEARD_NOTHING ? OUTCOME_TIMED_OUT : OUTCOME_FAILED,
				      .started_us = g_get_real_time(),
				      .own = g_array_new(FALSE, FALSE, sizeof(double))};
	for (guint i = 0; i < RUN_METRICS; i++)
		result->values[i] = NAN;
	if (panic) {
		result->message = g_strdup_printf("the virtual machine's kernel panicked %s: %s", when, panic);
	} else if (heard == HEARD_NOTHING) {
		result->message = g_strdup_printf("the virtual machine hung %s", when);
	} else {
		end = describe_end(&guest->qemu);
		result->message = g_strdup_printf("the virtual machine ended %s: %s", when, end);
	}
	result->observation.messages = g_ptr_array_new_with_free_func(g_free);
	for (char **line = lines + (n > LAST_LINES ? n - LAST_LINES : 0); *line; line++)
		if (**line)
			g_ptr_array_add(result->observation.messages, g_strdup(*line));
	guest_end(guest);
}
