#include "environment.h"

#include "factor.h"
#include "plan.h"
#include "unit.h"

/* Collects the settings in the order of the table; equal rows in that of the plan. */
static void collect_settings(struct environment *environment)
{
	for (const struct setting_kind *const *row = setting_table; *row; row++)
		for (guint i = 0; i < environment->plan->factors->len; i++) {
			const struct factor *factor = environment->plan->factors->pdata[i];

			if (factor->setting && factor->setting->kind == *row &&
			    !(environment->in_guest && (*row)->of_guest))
				g_ptr_array_add(environment->settings, factor->setting);
		}
}

gboolean environment_open(struct environment *environment, const struct plan *plan, const struct place_options *options,
			  struct store *store, GError **error)
{
	*environment = (struct environment){
	    .plan = plan, .settings = g_ptr_array_new(), .in_guest = environment->in_guest};
	environment->env.store = store;
	environment->env.place = &environment->place;
	collect_settings(environment);
	if (!place_open(&environment->place, options, store, error))
		return FALSE;
	for (guint i = 0; i < environment->settings->len; i++) {
		struct setting *setting = environment->settings->pdata[i];

		if (setting->kind->begin && !setting->kind->begin(setting, &environment->env, error))
			return FALSE;
	}
	return TRUE;
}

static const struct factor *factor_of(const struct plan *plan, const struct setting *setting)
{
	for (guint i = 0; i < plan->factors->len; i++)
		if (((const struct factor *)plan->factors->pdata[i])->setting == setting)
			return plan->factors->pdata[i];
	g_assert_not_reached();
}

gboolean environment_apply(struct environment *environment, const struct treatment *treatment, GError **error)
{
	for (guint i = 0; i < environment->settings->len; i++) {
		struct setting *setting = environment->settings->pdata[i];
		const char *level = plan_level(environment->plan, treatment, setting->name);

		if (!setting->kind->apply(setting, level, &environment->env, error))
			return FALSE;
	}
	return TRUE;
}

char *environment_changed(const struct environment *environment)
{
	char *changed = NULL;

	for (guint i = 0; i < environment->settings->len && !changed; i++) {
		const struct setting *setting = environment->settings->pdata[i];

		if (setting->kind->changed)
			changed = setting->kind->changed(setting);
	}
	return changed;
}

gboolean environment_release(struct environment *environment, GError **error)
{
	gboolean ok = TRUE;

	for (guint i = environment->settings->len; i-- > 0;) {
		struct setting *setting = environment->settings->pdata[i];

		if (setting->kind->release)
			ok = setting->kind->release(setting, &environment->env, ok ? error : NULL) && ok;
	}
	return ok;
}

void environment_amend_facts(const struct environment *environment, GHashTable *facts)
{
	for (guint i = 0; i < environment->settings->len; i++) {
		const struct setting *setting = environment->settings->pdata[i];
		g_autofree char *known = setting->kind->fact ? setting->kind->fact(setting->rest) : NULL;

		if (!factor_of(environment->plan, setting)->is_fixed) {
			g_hash_table_remove(facts, known ? known : setting->name);
			if (g_strcmp0(known, "filesystem") == 0)
				g_hash_table_remove(facts, "mount_options");
		} else {
			g_hash_table_insert(facts, g_strdup(known ? known : setting->name), g_strdup(setting->effective));
		}
	}
}

gboolean environment_close(struct environment *environment, void (*warn)(const char *format, ...) G_GNUC_PRINTF(1, 2),
			   GError **error)
{
	gboolean ok = environment_release(environment, error);

	for (guint i = environment->settings->len; i-- > 0;) {
		struct setting *setting = environment->settings->pdata[i];
		g_autofree char *left = NULL;

		ok = setting->kind->end(setting, &environment->env, &left, ok ? error : NULL) && ok;
		if (left)
			warn("%s", left);
	}
	ok = place_close(&environment->place, ok ? error : NULL) && ok;
	g_ptr_array_unref(environment->settings);
	return ok;
}
