#ifndef RUN_OUTPUT_H
#define RUN_OUTPUT_H

#include <glib.h>

struct run_result;
struct workload_config;

/* What a command prints, as values. */

/* Whether anything is to be read from it. */
gboolean run_output_wanted(const struct workload_config *config);

/* By the importer that the workload names: sets its metrics of the same name and unit. By --metric's expressions: sets
 * those metrics. Where the output cannot be read, or tells of a failure, the run has failed and its message says why.
 */
void run_output_import(const struct workload_config *config, const GString *output, struct run_result *result);
void run_output_match(const struct workload_config *config, const GString *output, struct run_result *result);

/* The last line that is not empty, for the message of a failure; newly allocated. */
char *run_output_last_line(const GString *output);

#endif
