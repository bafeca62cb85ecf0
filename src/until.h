#ifndef UNTIL_H
#define UNTIL_H

#include <glib.h>

struct plan;

/* When there are enough runs: a rule that is looked at after each complete block. It looks at primary metrics only.
 *   width:   the interval of the mean lies within width_pct of the mean, of 10 values or more
 *   decided: the anytime-valid paired t test of the block pairs, on logarithms where values are positive, tells a
 *            treatment from the plan's first one; alpha is shared among all such pairs of the plan (Bonferroni)
 */
enum until_kind { UNTIL_NONE, UNTIL_WIDTH, UNTIL_DECIDED };
struct stopping_rule {
	enum until_kind kind;
	double width_pct;
	double level; /* of the interval; 1 - alpha */
};

/* "2%" or "decided". */
gboolean stopping_rule_parse(const char *text, struct stopping_rule *rule, GError **error);
/* A usage error where the plan has nothing that the rule could decide. */
gboolean stopping_rule_check(const struct stopping_rule *rule, const struct plan *plan, GError **error);

/* What was seen of one treatment of one workload. */
struct look {
	guint block, workload, treatment;
	guint n;             /* values, or pairs */
	double statistic;    /* width: half the interval as a percentage of the mean; decided: log E; NaN: none yet */
	double threshold;    /* that statistic must not exceed (width), or must reach (decided) */
	gboolean is_decided; /* so that nothing more is to be learned here */
};

struct until;
struct until *until_new(const struct stopping_rule *rule, const struct plan *plan);
void until_free(struct until *until);

/* The value that plan->runs[index] has of its primary metric; NaN: none, it does not count. */
void until_add(struct until *until, guint index, double value);
/* Looks at all that is not decided yet, after a block; appends each look to looks (struct look). */
void until_look(struct until *until, guint block, GArray *looks);
/* Whether all of a workload is decided. */
gboolean until_is_done(const struct until *until, guint workload);

/* "within 1.7% after 12 runs", for people. */
char *look_text(const struct stopping_rule *rule, const struct look *look);

#endif
