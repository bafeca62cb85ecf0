#include "analyse_family.h"

#include "analyse_design.h"
#include "analyse_layout.h"

#define REPLICATES_MIN 3 /* as for a comparison of two */

const char *correction_name(enum correction correction)
{
	static const char *const names[] = {
	    [CORRECTION_HOLM] = "holm",
	    [CORRECTION_DUNNETT] = "dunnett",
	    [CORRECTION_GAMES_HOWELL] = "games-howell",
	    [CORRECTION_TUKEY] = "tukey",
	};

	return names[correction];
}

static struct layout *layout_of(const struct dataset *dataset, const GArray *tested, gboolean is_log)
{
	struct layout *layout = g_new(struct layout, 1);

	layout_init(layout, dataset, tested, is_log);
	return layout;
}

static gboolean can_be_tested(const struct sample *sample)
{
	return sample->values->len >= REPLICATES_MIN && sample->failed <= sample->values->len;
}

struct family *family_new(const struct dataset *dataset, const GArray *sides, gboolean use_dunnett,
			  struct pairing *pairing)
{
	struct family *family = g_new0(struct family, 1);
	g_autoptr(GArray) tested = g_array_new(FALSE, FALSE, sizeof(struct sample));
	g_autofree const struct sample **samples = g_new(const struct sample *, sides->len);

	family->place = g_new(guint, sides->len);
	for (guint i = 0; i < sides->len; i++) {
		const struct sample *sample = &g_array_index(sides, struct sample, i);

		family->place[i] = can_be_tested(sample) ? family->k : FAMILY_NONE;
		if (!can_be_tested(sample))
			continue;
		samples[family->k++] = sample;
		g_array_append_vals(tested, sample, 1);
	}
	*pairing = pairing_of(dataset, samples, family->k);
	if (family->k >= 2) {
		family->used = layout_of(dataset, tested, pairing->is_log);
		family->raw = pairing->is_log ? layout_of(dataset, tested, FALSE) : NULL;
		/* every two of them may share blocks, and all of them none */
		pairing->is_paired = family->used->levels_block > 0;
		if (!pairing->is_paired && pairing->column == dataset->block)
			pairing->column = NULL;
	} else {
		*pairing = (struct pairing){.is_log = pairing->is_log};
	}
	family->is_log = pairing->is_log;
	family->correction = use_dunnett          ? CORRECTION_DUNNETT
			     : pairing->is_paired ? CORRECTION_TUKEY
						  : CORRECTION_GAMES_HOWELL;
	return family;
}

static void layout_free(struct layout *layout)
{
	if (layout)
		layout_clear(layout);
	g_free(layout);
}

void family_free(struct family *family)
{
	if (!family)
		return;
	layout_free(family->used);
	layout_free(family->raw);
	g_free(family->place);
	g_free(family);
}

gboolean family_has(const struct family *family, const guint sides[2])
{
	return family->used && family->place[sides[0]] != FAMILY_NONE && family->place[sides[1]] != FAMILY_NONE;
}
