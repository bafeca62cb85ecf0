#include "reboots.h"

#include <errno.h>
#include <signal.h>

#include "boot_loader.h"
#include "err.h"
#include "exec.h"
#include "facts.h"
#include "machine.h"
#include "plan.h"
#include "process.h"
#include "reboot_unit.h"
#include "sitting.h"
#include "store.h"
#include "store_reboot.h"
#include "store_undo.h"
#include "undo.h"

#define CANCEL_S 60.0 /* in which a process that is told to stop has put back what it changed */

gboolean reboots_check_none(GError **error)
{
	g_autofree char *path = reboot_unit_path();

	return !reboot_unit_is_there() ||
	       err_runtime(
		   error,
		   "a plan goes on with reboots of this machine: wait for its end, or stop it with 'vmstat-bench run "
		   "--cancel --store FILE' ('%s' names the store)",
		   path);
}

gboolean reboots_check(const struct sitting *sitting, GError **error)
{
	g_autofree char *store = g_canonicalize_filename(sitting->store_path, NULL);
	g_autofree char *folder = g_path_get_dirname(store), *program = NULL;

	if (!machine_check_reboot(error))
		return FALSE;
	program = machine_program(error);
	return program && machine_check_kept(program, "the program", error) &&
	       machine_check_kept(folder, "the store in", error) &&
	       machine_check_kept(sitting->dir, "the directory", error) &&
	       machine_check_kept(".", "the current directory", error);
}

/* Chooses the next boot where the release says of which kernel it is. */
static gboolean choose(const char *name, char **release, const char **verb, GError **error)
{
	const struct boot_loader *loader;
	g_autoptr(GPtrArray) entries = NULL;
	const struct boot_entry *entry;

	*verb = "reboot";
	if (!name)
		return TRUE;
	loader = boot_loader_find(error);
	entries = loader ? loader->entries(error) : NULL;
	if (!entries)
		return FALSE;
	entry = boot_entry_find(entries, name);
	if (!entry || !entry->release)
		return err_runtime(error, "kernel '%s' is none of the boot entries of %s any more", name, loader->name);
	*verb = loader->verb;
	*release = g_strdup(entry->release);
	return loader->choose(entry, error);
}

static const char *kernel_of(const struct sitting *sitting, guint index)
{
	const struct planned_run *run = &g_array_index(sitting->plan->runs, struct planned_run, index);

	return plan_level(sitting->plan, sitting->plan->treatments->pdata[run->treatment], "kernel");
}

static gboolean write_file_and_note(const struct reboot_unit *unit, struct store *store, GError **error)
{
	g_autofree char *text = reboot_unit_text(unit), *mark = reboot_unit_mark(text), *path = reboot_unit_path(),
			*left = NULL;
	char *const ours[] = {mark, NULL};
	g_autoptr(Undo) undo = undo_add(store, &undo_unit, path, NULL, ours, error);

	if (!undo || reboot_unit_install(text, error))
		return undo != NULL;
	undo_one(store, undo, &left, NULL);
	return FALSE;
}

static gboolean install(const struct sitting *sitting, struct store *store, GError **error)
{
	struct account caller = process_caller();
	g_autofree char *program = machine_program(error), *path = store_undo_path(store);
	g_autofree char *dir = g_canonicalize_filename(sitting->dir, NULL);
	g_autofree char *uid = caller.uid ? g_strdup_printf("%u", caller.uid) : NULL,
			*gid = g_strdup_printf("%u", caller.gid);
	const struct reboot_unit unit = {.program = program, .store = path, .dir = dir, .uid = uid, .gid = gid};

	return program && write_file_and_note(&unit, store, error);
}

/* What the store is told before a reboot: the boot and count of it stay as they are. */
static gboolean prepare(struct store *store, struct store_reboot *reboot, const char *kernel, const char **verb,
			GError **error)
{
	g_autofree char *name = g_strdup(kernel);

	g_clear_pointer(&reboot->kernel, g_free);
	return choose(name, &reboot->kernel, verb, error) && store_reboot_write(store, reboot, error);
}

gboolean reboots_begin(const struct sitting *sitting, struct store *store, guint index, const char **verb,
		       GError **error)
{
	gint64 plan = store_plan_begun(store);
	struct store_reboot reboot = {.plan = plan, .left = G_MAXINT, .boot_id = g_strdup(facts_boot_id())};
	g_autoptr(GError) cause = NULL;
	gboolean ok = store_reboot_forget(store, plan, error) && install(sitting, store, error);

	if (ok && !prepare(store, &reboot, kernel_of(sitting, index), verb, &cause)) {
		reboots_end(store, plan, cause->message, NULL);
		g_propagate_error(error, g_steal_pointer(&cause));
		ok = FALSE;
	}
	store_reboot_clear(&reboot);
	return ok;
}

static gboolean count_left(struct store *store, gint64 plan, guint *left, GError **error)
{
	g_autoptr(GPtrArray) plans = store_plans(store, error);

	for (guint i = 0; plans && i < plans->len; i++)
		if (((const struct store_plan *)plans->pdata[i])->number == plan)
			*left = ((const struct store_plan *)plans->pdata[i])->left;
	return plans != NULL;
}

/* On the disk before anything is done that might end this boot. */
static gboolean count_boot(struct store *store, struct store_reboot *reboot, GError **error)
{
	guint left = 0;

	if (!count_left(store, reboot->plan, &left, error))
		return FALSE;
	if (left < reboot->left)
		reboot->boots = 0;
	reboot->left = left;
	reboot->boots++;
	g_free(reboot->boot_id);
	reboot->boot_id = g_strdup(facts_boot_id());
	return store_reboot_write(store, reboot, error);
}

static gboolean stop(struct store *store, const struct store_reboot *reboot, enum reboots_found *found, char **why,
		     GError **error)
{
	*found = REBOOTS_STOPPED;
	return reboots_end(store, reboot->plan, *why, error);
}

static char *describe_loop(const struct store_reboot *reboot)
{
	return g_strdup_printf("%u boots in a row without a finished run%s%s", REBOOTS_MAX,
			       reboot->trouble ? "; the last: " : "", reboot->trouble ? reboot->trouble : "");
}

/* A boot that was counted. */
static gboolean look_at_boot(struct store *store, struct store_reboot *reboot, enum reboots_found *found,
			     const char **verb, char **why, GError **error)
{
	g_autofree char *wanted = g_strdup(reboot->kernel);

	*found = REBOOTS_RUN;
	if (reboot->boots > REBOOTS_MAX) {
		*why = describe_loop(reboot);
		return stop(store, reboot, found, why, error);
	}
	g_clear_pointer(&reboot->trouble, g_free);
	if (!machine_rest(error))
		return FALSE;
	reboot->trouble = machine_find_trouble(reboot->kernel);
	if (!reboot->trouble)
		return store_reboot_write(store, reboot, error);
	if (reboot->boots >= REBOOTS_MAX) {
		*why = describe_loop(reboot);
		return stop(store, reboot, found, why, error);
	}
	*found = REBOOTS_AGAIN;
	*why = g_strdup(reboot->trouble);
	return prepare(store, reboot, wanted, verb, error);
}

/* Makes this process the owner of the unit, unless this is no boot of the plan's, or another process is at it. */
static gboolean take_over(struct store *store, const struct store_reboot *reboot, GError **error)
{
	g_autoptr(Undo) unit = NULL;

	if (reboot->plan && g_str_equal(reboot->boot_id, facts_boot_id()))
		return err_runtime(error, "this machine has not been rebooted since it was asked to: '" REBOOT_UNIT
					  "' is for its next boot");
	if (reboot->plan && !undo_adopt(store, &undo_unit, &unit, error))
		return FALSE;
	return unit || err_runtime(error, "no plan of the store goes on with reboots of this machine");
}

static gboolean enter(struct store *store, struct store_reboot *reboot, enum reboots_found *found, const char **verb,
		      char **why, GError **error)
{
	if (machine_is_told(REBOOTS_STOP)) {
		*why = g_strdup("'" REBOOTS_STOP "' was on the kernel's command line");
		return stop(store, reboot, found, why, error);
	}
	return count_boot(store, reboot, error) && look_at_boot(store, reboot, found, verb, why, error);
}

gboolean reboots_enter(struct store *store, gint64 *plan, enum reboots_found *found, const char **verb, char **why,
		       GError **error)
{
	g_autoptr(GError) cause = NULL;
	struct store_reboot reboot = {0};
	gboolean ok;

	*why = NULL;
	ok = store_reboot_plan(store, plan, error) && store_reboot_read(store, *plan, &reboot, error) &&
	     take_over(store, &reboot, error);
	if (ok && !enter(store, &reboot, found, verb, why, &cause)) {
		reboots_end(store, *plan, cause->message, NULL);
		g_propagate_error(error, g_steal_pointer(&cause));
		ok = FALSE;
	}
	store_reboot_clear(&reboot);
	return ok;
}

gboolean reboots_next(const struct sitting *sitting, struct store *store, gint64 plan, guint index, const char **verb,
		      GError **error)
{
	struct store_reboot reboot;
	gboolean ok = store_reboot_read(store, plan, &reboot, error);

	*verb = NULL;
	if (ok && !reboot.stopped)
		ok = prepare(store, &reboot, kernel_of(sitting, index), verb, error);
	store_reboot_clear(&reboot);
	return ok;
}

static gboolean remove_unit(struct store *store, GError **error)
{
	g_autoptr(GPtrArray) list = store_undo_list(store, error);
	gboolean ok = list != NULL;

	for (guint i = 0; list && i < list->len; i++) {
		g_autofree char *left = NULL;

		if (g_str_equal(((const struct undo *)list->pdata[i])->kind, undo_unit.name))
			ok = undo_one(store, list->pdata[i], &left, ok ? error : NULL) && ok;
	}
	return ok;
}

gboolean reboots_end(struct store *store, gint64 plan, const char *why, GError **error)
{
	struct store_reboot reboot;
	gboolean ok = store_reboot_read(store, plan, &reboot, error);
	const struct boot_loader *loader = ok && reboot.kernel ? boot_loader_find(NULL) : NULL;

	if (ok && reboot.plan) {
		g_free(reboot.stopped);
		reboot.stopped = g_strdup(why);
		ok = store_reboot_write(store, &reboot, error);
	}
	ok = remove_unit(store, ok ? error : NULL) && ok;
	if (loader)
		ok = loader->forget(ok ? error : NULL) && ok;
	store_reboot_clear(&reboot);
	return ok;
}

/* The process that is at the plan, told to stop: what it has changed it puts back itself. */
static void end_owner(const GPtrArray *list)
{
	for (guint i = 0; i < list->len; i++) {
		const struct undo *undo = list->pdata[i];

		if (!g_str_equal(undo->kind, undo_unit.name) || !undo_owner_lives(undo) ||
		    kill((pid_t)undo->pid, SIGTERM) < 0)
			continue;
		for (double waited_s = 0; waited_s < CANCEL_S && undo_owner_lives(undo); waited_s += 0.1)
			exec_sleep(0.1);
	}
}

gboolean reboots_cancel(struct store *store, gint64 *plan, GError **error)
{
	g_autoptr(GPtrArray) list = NULL;

	if (!store_reboot_plan(store, plan, error))
		return FALSE;
	if (!*plan)
		return TRUE;
	list = store_undo_list(store, error);
	/* first what that process would do next: reboot */
	if (!list || !reboots_end(store, *plan, "cancelled", error))
		return FALSE;
	end_owner(list);
	return TRUE;
}
