#include "observe_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define RECORD_MAX 8192 /* of the kernel */
#define MESSAGES_MAX 100

enum effect { EFFECT_NONE, EFFECT_THROTTLED, EFFECT_DISTURBED };

/* Messages that matter; the first row that fits is taken. The patterns hold for what Linux has written from 3.0 on. */
static const struct rule {
	const char *part;    /* of all of them: to look for that is cheap */
	const char *pattern; /* and this one tells them from others, and finds the subject */
	const char *what;    /* in words, with the subject */
	enum effect effect;
} rules[] = {
    {"Killed process", "Killed process \\d+ \\(", NULL, EFFECT_NONE},
    {" error, dev ", "(?:I/O|critical medium|timeout|protection) error, dev ([^ ,]+)", "I/O error on \\1",
     EFFECT_DISTURBED},
    {"Buffer I/O error", "Buffer I/O error on dev(?:ice)? ([^ ,]+)", "I/O error on \\1", EFFECT_DISTURBED},
    {"nvme", "^nvme (\\S+): I/O .*timeout", "I/O timeout of \\1", EFFECT_DISTURBED},
    {"-fs error", "^EXT[234]-fs error \\(device ([^ :)]+)", "filesystem error on \\1", EFFECT_DISTURBED},
    {"Detected IO errors", "^JBD2?: .* file data on (\\S+)", "I/O error on \\1", EFFECT_DISTURBED},
    {"XFS", "^XFS \\(([^)]+)\\): .*(?:[Ee]rror|[Cc]orrupt|[Ss]hut)", "filesystem error on \\1", EFFECT_DISTURBED},
    {"BTRFS", "^BTRFS:? (?:error|critical) \\(device ([^ :)]+)", "filesystem error on \\1", EFFECT_DISTURBED},
    {" blocked ", "task (\\S.*):\\d+ blocked .*for more than \\d+ seconds", "task \\1 hung", EFFECT_DISTURBED},
    {"soft lockup", "soft lockup - CPU#(\\d+)", "CPU \\1 hung", EFFECT_DISTURBED},
    {"[Hardware Error]", "", "hardware error", EFFECT_DISTURBED},
    {"above threshold", "temperature (?:is )?above", NULL, EFFECT_THROTTLED},
    {"throttled", "clock (?:is )?throttled", NULL, EFFECT_THROTTLED},
};

struct kernel_log {
	int fd; /* -1 where it may not be read */
	GRegex *regex[G_N_ELEMENTS(rules)];
};

struct kernel_log *kernel_log_new(void)
{
	struct kernel_log *log = g_new0(struct kernel_log, 1);

	log->fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	return log;
}

void kernel_log_free(struct kernel_log *log)
{
	if (!log)
		return;
	if (log->fd >= 0)
		close(log->fd);
	for (guint i = 0; i < G_N_ELEMENTS(rules); i++)
		g_clear_pointer(&log->regex[i], g_regex_unref);
	g_free(log);
}

void kernel_log_begin(struct kernel_log *log)
{
	if (log->fd >= 0 && lseek(log->fd, 0, SEEK_END) < 0) {
		close(log->fd);
		log->fd = -1;
	}
}

static void obey(const struct rule *rule, const GMatchInfo *match, const char *text, struct observation *observation)
{
	/* a disk that dies may say so for each block */
	if (observation->messages->len < MESSAGES_MAX)
		g_ptr_array_add(observation->messages, g_strdup(text));
	if (rule->effect == EFFECT_THROTTLED)
		observation->flags |= FLAG_THROTTLED;
	if (rule->effect == EFFECT_DISTURBED && !observation->disturbance)
		observation->disturbance = g_match_info_expand_references(match, rule->what, NULL);
}

void kernel_log_judge(struct kernel_log *log, const char *text, struct observation *observation)
{
	for (guint i = 0; i < G_N_ELEMENTS(rules); i++) {
		g_autoptr(GMatchInfo) match = NULL;

		if (!strstr(text, rules[i].part))
			continue;
		if (!log->regex[i])
			log->regex[i] = g_regex_new(rules[i].pattern, G_REGEX_RAW, 0, NULL);
		if (g_regex_match(log->regex[i], text, 0, &match)) {
			obey(&rules[i], match, text, observation);
			return;
		}
	}
}

/* A record is "priority,number,time,flags;text" and a newline; lines with keys and values may follow.
 * source: Documentation/ABI/testing/dev-kmsg of Linux */
void kernel_log_read(struct kernel_log *log, struct observation *observation)
{
	char record[RECORD_MAX + 1];
	ssize_t n;

	if (log->fd < 0)
		return;
	/* EPIPE: older ones were overwritten before they were read; the next read goes on behind them */
	while ((n = read(log->fd, record, RECORD_MAX)) > 0 || (n < 0 && (errno == EPIPE || errno == EINTR))) {
		char *text;

		record[MAX(n, 0)] = '\0';
		text = strchr(record, ';');
		if (!text)
			continue;
		text[strcspn(text, "\n")] = '\0';
		kernel_log_judge(log, text + 1, observation);
	}
}
