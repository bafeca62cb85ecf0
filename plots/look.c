#include "look.h"

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
