#include "better.h"

#include "dataset.h"
#include "err.h"

gboolean better_apply(struct dataset *dataset, char *const *settings, GError **error)
{
	for (; settings && *settings; settings++) {
		g_auto(GStrv) parts = g_strsplit(*settings, "=", 2);
		enum better better;
		struct values *values;

		if (!parts[0] || !parts[1] || !better_parse(parts[1], &better))
			return err_usage(error, "--better '%s' is not METRIC=higher or METRIC=lower", *settings);
		values = dataset_find_metric(dataset, parts[0]);
		if (!values)
			return err_usage(error, "--better '%s': there is no metric '%s'", *settings, parts[0]);
		values->metric.better = better;
	}
	return TRUE;
}
