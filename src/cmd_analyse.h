#ifndef CMD_ANALYSE_H
#define CMD_ANALYSE_H

#include <glib.h>

struct analysis;
struct effects_analysis;
struct reading;
struct trend_analysis;

/* What the commands compare, effects and trend find in runs that are loaded, by their own options: for themselves, and
 * for charts and reports of the same. NULL with an error of the command. */

struct compare_options {
	char *by, *baseline, *margin, *method, *calibration; /* as given; NULL: not */
	gboolean all_pairs;
};
/* What the options themselves have wrong; before anything is loaded. */
gboolean cmd_compare_check(struct reading *reading, const struct compare_options *options, GError **error);
struct analysis *cmd_compare_analyse(struct reading *reading, const struct compare_options *options, GError **error);

/* raw or log; NULL: raw. */
gboolean cmd_scale_parse(const char *text, gboolean *is_log, GError **error);

struct effects_options {
	char **by, *scale; /* as given; NULL: not */
};
struct effects_analysis *cmd_effects_analyse(struct reading *reading, const struct effects_options *options,
					     GError **error);

struct trend_command_options {
	char *order, *by; /* as given; NULL: not */
};
struct trend_analysis *cmd_trend_analyse(struct reading *reading, const struct trend_command_options *options,
					 GError **error);

#endif
