#ifndef RUN_OUTPUT_H
#define RUN_OUTPUT_H

#include <glib.h>

struct run_result;
struct workload;
struct workload_config;

/* What a command prints, as values. */

/* Whether anything is to be read from it. */
gboolean run_output_wanted(const struct workload_config *config);

/* By the importer that the workload names: sets its metrics of the same name and unit. By --metric's expressions: sets
 * those metrics. Where the output cannot be read, or tells of a failure, the run has failed and its message says why.
 */
void run_output_import(const struct workload_config *config, const GString *output, struct run_result *result);
void run_output_match(const struct workload_config *config, const GString *output, struct run_result *result);

/* The line that says what went wrong, or ""; newly allocated: the first that the workload's own expression finds, else
 * the last one. */
char *run_output_complaint(const struct workload *workload, const GString *output);

#endif
