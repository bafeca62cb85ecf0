#include "look.h"

#include <math.h>

guint32 look_colour(guint number)
{
	static const guint32 colours[] = {0x0072b2, 0xe69f00, 0x000000, 0xcc79a7, 0x009e73, 0x56b4e9, 0xd55e00};

	return colours[number % G_N_ELEMENTS(colours)];
}

int look_shape(guint number)
{
	static const int shapes[] = {7, 5, 9, 13, 11, 6, 4, 8, 12, 10};

	return shapes[number % G_N_ELEMENTS(shapes)];
}

int look_dash(guint number)
{
	static const int dashes[] = {1, 2, 4, 5};

	return dashes[number % G_N_ELEMENTS(dashes)];
}

static double channel(guint32 colour, guint shift)
{
	return (colour >> shift) & 0xff;
}

guint32 look_shade(double share)
{
	/* viridis (van der Walt and Smith, of matplotlib) at eighths; in between, straight lines */
	static const guint32 stops[] = {0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c,
					0x28ae80, 0x5ec962, 0xaddc30, 0xfde725};
	const guint n_steps = G_N_ELEMENTS(stops) - 1;
	double at = CLAMP(share, 0, 1) * n_steps;
	guint stop = MIN((guint)at, (guint)G_N_ELEMENTS(stops) - 2);
	guint32 colour = 0;

	for (int shift = 16; shift >= 0; shift -= 8) {
		double low = channel(stops[stop], shift), high = channel(stops[stop + 1], shift);

		colour |= (guint32)lround(low + (at - stop) * (high - low)) << shift;
	}
	return colour;
}

/* sRGB to light. */
static double light(double value)
{
	double c = value / 255;

	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

guint32 look_on(guint32 colour)
{
	double luminance = 0.2126 * light(channel(colour, 16)) + 0.7152 * light(channel(colour, 8)) +
			   0.0722 * light(channel(colour, 0));

	/* where black and white have the same contrast ratio, by WCAG's definition */
	return luminance > 0.179 ? 0x000000 : 0xffffff;
}

GHashTable *look_names_new(void)
{
	return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

guint look_of_name(GHashTable *names, const char *name)
{
	gpointer number;

	if (!g_hash_table_lookup_extended(names, name, NULL, &number)) {
		number = GUINT_TO_POINTER(g_hash_table_size(names));
		g_hash_table_insert(names, g_strdup(name), number);
	}
	return GPOINTER_TO_UINT(number);
}
