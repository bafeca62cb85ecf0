#ifndef ADAPTER_H
#define ADAPTER_H

#include <glib.h>

struct workload_config;

/* What the workloads share that run somebody else's program: its argument vector, made when options are settled. */

/* A vector that begins with the program's path, or with where it would be: whether it is there is asked later. */
GPtrArray *adapter_begin(const char *program);
/* Adds an argument. */
void adapter_add(GPtrArray *words, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* Makes it the config's vector; words is used up. Returns TRUE. */
gboolean adapter_end(struct workload_config *config, GPtrArray *words);

/* The config's vector: struct workload's argv. */
char *const *adapter_argv(const struct workload_config *config);
/* That the program is not installed, and the Debian package that has it; newly allocated. NULL: it is. */
char *adapter_missing(const char *program, const char *package);

#endif
