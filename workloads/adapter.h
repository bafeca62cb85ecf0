#ifndef ADAPTER_H
#define ADAPTER_H

#include <glib.h>

struct workload_config;

/* What the workloads share that run somebody else's program: its argument vector, made when options are settled. */

/* Bytes that Linux moves in one call at most. source: write(2) */
#define ADAPTER_CALL_MAX 0x7ffff000

/* A vector that begins with the program's path, or with where it would be: whether it is there is asked later. */
GPtrArray *adapter_begin(const char *program);
/* Adds an argument. */
void adapter_add(GPtrArray *words, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* Makes it the config's vector, or that of its preparation; words is used up. Returns TRUE. */
gboolean adapter_end(struct workload_config *config, GPtrArray *words);
gboolean adapter_end_prepare(struct workload_config *config, GPtrArray *words);

/* A duration for a program that takes whole seconds: a usage error where option 'time' is none from min on. */
gboolean adapter_check_time(const struct workload_config *config, guint min, GError **error);
/* A usage error where the number of the option is above max. */
gboolean adapter_check_max(const struct workload_config *config, const char *option, guint64 max, GError **error);

/* For struct workload's unsupported, newly allocated reasons or NULL. That what goes around the page cache, which
 * option 'direct' says, is by calls that no device takes: their bytes are those of that option. */
char *adapter_misaligned(const struct workload_config *config, const char *option);
/* What the program says against its arguments when one more tells it to check them and do nothing. */
char *adapter_objection(const struct workload_config *config, const char *check_only, int dirfd);

/* The config's vector: struct workload's argv. */
char *const *adapter_argv(const struct workload_config *config);
/* That the program is not installed, and the Debian package that has it; newly allocated. NULL: it is. */
char *adapter_missing(const char *program, const char *package);

#endif
