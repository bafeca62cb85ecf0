#ifndef ADAPTER_H
#define ADAPTER_H

#include <glib.h>

struct workload_config;

/* What the workloads share that run somebody else's program: its argument vector, made when options are settled. */

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

/* The config's vector: struct workload's argv. */
char *const *adapter_argv(const struct workload_config *config);
/* That the program is not installed, and the Debian package that has it; newly allocated. NULL: it is. */
char *adapter_missing(const char *program, const char *package);

#endif
