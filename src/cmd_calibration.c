#include "cmd_calibration.h"

#include "analyse.h"
#include "dataset.h"
#include "document.h"
#include "profile.h"
#include "report_text.h"
#include "store.h"

gboolean cmd_load_calibration(const struct dataset *runs, const char *store_path, struct dataset **calibration,
			      GError **error)
{
	g_autoptr(Store) store = NULL;

	*calibration = NULL;
	/* runs of files have facts too, but nothing to be found by them where there is no store */
	if (!runs->facts || !g_file_test(store_path, G_FILE_TEST_EXISTS))
		return TRUE;
	store = store_open(store_path, STORE_READ, error);
	return store && (*calibration = store_load_calibration(store, error));
}

gboolean cmd_append_advice(const struct dataset *runs, const char *store_path, double pct, GString *out, GError **error)
{
	const struct analyse_options options = {.level = 0.95, .margin_pct = pct};
	g_autoptr(Dataset) calibration = NULL;
	g_autoptr(Analysis) analysis = NULL;

	if (!cmd_load_calibration(runs, store_path, &calibration, error))
		return FALSE;
	if (!calibration)
		return TRUE;
	analysis = analyse_profile(calibration, NULL, runs, &options, error);
	if (analysis)
		report_text_advice(analysis, &(struct document){.out = out});
	return analysis != NULL;
}
