#ifndef REPORT_JSON_H
#define REPORT_JSON_H

#include <glib.h>
#include <jansson.h>

#include "flag.h"

struct aa_analysis;
struct analysis;
struct document;
struct effects_analysis;
struct interval_estimate;
struct metric;
struct power_analysis;
struct trend_analysis;
struct variance_report;

/* What report_json*.c share. */

#define JSON_SCHEMA "vmstat-bench/1"

void report_json_aa(const struct aa_analysis *analysis, struct document *to);
void report_json_calibrate(const struct analysis *analysis, struct document *to);
void report_json_compare(const struct analysis *analysis, struct document *to);
void report_json_effects(const struct effects_analysis *analysis, struct document *to);
void report_json_power(const struct power_analysis *analysis, struct document *to);
void report_json_trend(const struct trend_analysis *analysis, struct document *to);

json_t *json_of_number(double value);                               /* null for NaN and infinity */
json_t *json_of_whole(double value);                                /* the same, without a point */
json_t *json_of_text(const char *value);                            /* in any encoding; null for NULL */
json_t *json_of_name(const char *value);                            /* null for "" too */
json_t *json_of_flags(flag_set set);                                 /* their names */
json_t *json_of_levels(const GArray *levels);                       /* struct level: an object of factors */
json_t *json_of_interval(const struct interval_estimate *interval); /* null where nothing was computed */
json_t *json_of_variance(const struct variance_report *report);     /* null for NULL */
/* An object with workload, metric, unit and better. */
json_t *json_of_subject(const char *workload, const struct metric *metric);

void json_put(json_t *object, const char *key, json_t *value); /* takes the value over */
/* Appends the text of root with all 17 digits and frees it. */
void json_print(json_t *root, GString *out);

#endif
