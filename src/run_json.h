#ifndef RUN_JSON_H
#define RUN_JSON_H

#include <glib.h>
#include <jansson.h>

struct run_result;

/* What came of a run, observation included, as JSON: numbers with all digits, null where there is none. */
json_t *run_result_to_json(const struct run_result *result);

/* And back. probed: struct metric, those of probes; NULL: none. A runtime error where it is not what the former wrote,
 * and then there is nothing to clear. */
gboolean run_result_from_json(const json_t *object, const GArray *probed, struct run_result *result, GError **error);

#endif
