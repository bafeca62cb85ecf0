#ifndef CMD_CHART_H
#define CMD_CHART_H

#include <glib.h>

struct chart_data;
struct reading;

/* What charts draw from, prepared as the commands that print the same would: for plot and report. */

struct chart_options {
	char *by, *baseline, *margin, *order, *scale, *run; /* as given; NULL: not. by of effects: F1[,F2] */
};
#define CHART_OPTIONS(options)                                                                                         \
	{"by", 0, 0, G_OPTION_ARG_FILENAME, &(options)->by,                                                            \
	 "The factor or numeric column whose levels are compared, on the x axis, or the labels of a trend; two for "   \
	 "effects",                                                                                                    \
	 "F1[,F2]"},                                                                                                   \
	    {"baseline", 0, 0, G_OPTION_ARG_FILENAME, &(options)->baseline,                                            \
	     "With --by, comparisons: the level to compare with (default: the first)", "LEVEL"},                       \
	    {"margin", 0, 0, G_OPTION_ARG_FILENAME, &(options)->margin,                                                \
	     "Comparisons: smallest difference that matters, in % (default: 5)", "PCT"},                               \
	    {"order", 0, 0, G_OPTION_ARG_FILENAME, &(options)->order, "Trends: time or labels (default: time)",        \
	     "ORDER"},                                                                                                 \
	    {"scale", 0, 0, G_OPTION_ARG_FILENAME, &(options)->scale, "Effects, qq: raw or log (default: raw)",        \
	     "SCALE"},                                                                                                 \
	    {"run", 0, 0, G_OPTION_ARG_FILENAME, &(options)->run,                                                      \
	     "Timeline: a run by its number in 'list runs' or a file (default: the last)", "N"}
void chart_options_clear(struct chart_options *options);

/* Fills in what the chart needs (enum chart_needs), of the runs behind the operands, which are loaded first unless they
 * are, or of the calibrations in the store where a chart of profiles has no operand. Usage errors: of the commands,
 * and an option that the chart has no use for. The data lasts no longer than the reading. */
gboolean chart_data_prepare(struct chart_data *data, guint needs, struct reading *reading,
			    const struct chart_options *options, GError **error);
void chart_data_clear(struct chart_data *data);

#endif
