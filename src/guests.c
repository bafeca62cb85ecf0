#include "guests.h"

#include <errno.h>
#include <math.h>
#include <unistd.h>

#include "alone.h"
#include "err.h"
#include "exec.h"
#include "facts.h"
#include "factor.h"
#include "flag.h"
#include "guest.h"
#include "guest_kit.h"
#include "outcome.h"
#include "plan.h"
#include "probe.h"
#include "run.h"
#include "run_json.h"
#include "scratch.h"
#include "setting_kinds.h"
#include "sitting.h"
#include "store.h"
#include "undo.h"
#include "unit.h"

#define MEMORY (G_GUINT64_CONSTANT(1) << 30)       /* of a guest, where no setting says it, */
#define CPUS 1                                     /* and its processors */
#define MEMORY_MIN (G_GUINT64_CONSTANT(128) << 20) /* initramfs, unpacked and packed, and the kernel */
#define CPUS_MAX 255                               /* of qemu's machine 'pc' */
#define BOOT_S 120.0                               /* in which a guest says hello: emulated ones take three */
#define SILENCE_S 60.0 /* after which one is taken for dead that shows a sign of life every five */
#define SWAP_EXTRA (G_GUINT64_CONSTANT(128) << 20) /* of the disk for a swap file: what its filesystem takes */

struct guests {
	const struct sitting *sitting;
	struct store *store;
	struct scratch scratch; /* for the disks' images */
	struct undo *undo;      /* removes it */
	GPtrArray *initramfs;   /* char *, a kernel */
	char *options;          /* for guests */
	GHashTable *here;       /* facts of the machine that they are on */
	enum accelerator accelerator;
	void (*warn)(void *data, const char *text);
	void *data;
	struct guest guest; /* the one that is there, or none */
	guint next;         /* the run that would go on in it */
};

static const struct planned_run *run_at(const struct guests *guests, guint index)
{
	return &g_array_index(guests->sitting->plan->runs, struct planned_run, index);
}

static const struct treatment *treatment_of(const struct guests *guests, guint index)
{
	return guests->sitting->plan->treatments->pdata[run_at(guests, index)->treatment];
}

/* Which of the kernels. */
static guint kernel_of(const struct guests *guests, guint index)
{
	const struct factor *kernel = plan_factor(guests->sitting->plan, "kernel");
	const char *level = plan_level(guests->sitting->plan, treatment_of(guests, index), "kernel");
	guint i;

	for (i = 0; i < guests->initramfs->len; i++)
		if (g_str_equal(kernel->levels->pdata[i], level))
			break;
	return i;
}

/* A disk image, empty as that of a new machine is. */
static char *make_disk(struct guests *guests, const char *name, guint64 bytes, GError **error)
{
	/* qemu finds out by reading the first bytes which blocks the file takes, and takes a wrong size for it where
	 * there is nothing yet */
	static const char zeros[4096];
	int fd = scratch_make_file(&guests->scratch, name, bytes, error);
	char *path = NULL;

	if (fd < 0)
		return NULL;
	if (pwrite(fd, zeros, sizeof zeros, 0) == sizeof zeros && fdatasync(fd) == 0)
		path = g_build_filename(guests->scratch.path, name, NULL);
	else
		err_errno(error, errno, "cannot write to the file '%s/%s'", guests->scratch.path, name);
	close(fd);
	return path;
}

static guint64 level_number(const struct guests *guests, guint index, const char *name, guint64 usual)
{
	const char *level = plan_level(guests->sitting->plan, treatment_of(guests, index), name);
	guint64 number = usual;

	/* levels were checked when the plan was made */
	if (level && !size_parse(level, &number, NULL))
		g_assert_not_reached();
	return number;
}

static struct qemu_arg arg_of(const struct guests *guests, guint index)
{
	guint kernel = kernel_of(guests, index);

	return (struct qemu_arg){.kernel = guests->sitting->kernels[kernel],
				 .initramfs = guests->initramfs->pdata[kernel],
				 .append = "-- guest",
				 .memory_bytes = level_number(guests, index, "mem", MEMORY),
				 .cpus = (guint)level_number(guests, index, "cpus", CPUS),
				 .accelerator = guests->accelerator};
}

static gboolean start_guest(struct guests *guests, guint index, GError **error)
{
	const struct sitting *sitting = guests->sitting;
	gboolean has_swap = plan_factor(sitting->plan, "swap") != NULL;
	g_autofree char *disk = make_disk(guests, "disk", sitting->place.image_bytes, error), *swap = NULL;
	struct qemu_arg arg = arg_of(guests, index);

	if (disk && has_swap)
		swap = make_disk(guests, "swap", level_number(guests, index, "swap", 0) + SWAP_EXTRA, error);
	if (!disk || (has_swap && !swap))
		return FALSE;
	arg.images[0] = disk;
	arg.images[1] = swap;
	return guest_start(&guests->guest, &arg, error);
}

static gboolean take_error(const json_t *message, GError **error)
{
	const char *text = json_string_value(json_object_get(message, "error"));

	if (!text)
		return TRUE;
	return json_integer_value(json_object_get(message, "code")) == EXIT_USAGE
		   ? err_usage(error, "in the virtual machine: %s", text)
		   : err_runtime(error, "in the virtual machine: %s", text);
}

/* What is varied is no fact, and what the machine that guests are on knows they do not. */
static void amend_facts(const struct guests *guests, GHashTable *facts)
{
	const struct factor *mem = plan_factor(guests->sitting->plan, "mem"),
			    *cpus = plan_factor(guests->sitting->plan, "cpus");
	const char *cpu = g_hash_table_lookup(guests->here, "cpu"), *kernel = g_hash_table_lookup(guests->here, "kernel");

	/* what the machine has: each kernel takes another part of it for itself */
	if (mem && !mem->is_fixed)
		g_hash_table_remove(facts, "memory");
	else
		g_hash_table_insert(
		    facts, g_strdup("memory"),
		    g_strdup_printf("%" G_GUINT64_FORMAT " KiB", level_number(guests, 0, "mem", MEMORY) >> 10));
	if (cpus && !cpus->is_fixed)
		g_hash_table_remove(facts, "cpus");
	g_hash_table_insert(facts, g_strdup("accelerator"),
			    g_strdup(guests->accelerator == ACCELERATOR_KVM ? "kvm" : "tcg"));
	if (cpu)
		g_hash_table_insert(facts, g_strdup("host_cpu"), g_strdup(cpu));
	if (kernel)
		g_hash_table_insert(facts, g_strdup("host_kernel"), g_strdup(kernel));
}

static gboolean enter_boot(struct guests *guests, const json_t *boot, GError **error)
{
	g_autoptr(GHashTable) facts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	json_t *told = json_object_get(boot, "facts"), *value;
	const char *key;

	json_object_foreach(told, key, value)
	{
		if (json_is_string(value))
			g_hash_table_insert(facts, g_strdup(key), g_strdup(json_string_value(value)));
	}
	amend_facts(guests, facts);
	return store_enter_boot(guests->store, json_string_value(json_object_get(boot, "boot_id")), facts, error);
}

/* Whether the guest is up and has the plan. */
static gboolean greet(struct guests *guests, enum guest_heard *heard, GError **error)
{
	json_t *message;

	do {
		*heard = guest_listen(&guests->guest, BOOT_S, BOOT_S, &message);
		if (*heard != HEARD_MESSAGE)
			return FALSE;
		if (json_object_get(message, "hello")) {
			json_decref(message);
			return channel_send(&guests->guest.channel, json_pack("{s:s}", "options", guests->options),
					    error);
		}
		if (!take_error(message, error)) {
			json_decref(message);
			return FALSE;
		}
		json_decref(message);
	} while (TRUE);
}

/* One run in the guest that is there, up to its result. */
static gboolean ask_for_run(struct guests *guests, guint index, enum guest_heard *heard, struct run_result *result,
			    GError **error)
{
	const struct sitting *sitting = guests->sitting;
	const GArray *probed = sitting->probes ? probes_metrics(sitting->probes) : NULL;
	double limit_s = sitting->timeout_s > 0 ? sitting->timeout_s + SILENCE_S : INFINITY;
	gboolean ok = TRUE, has_result = FALSE;

	/* where nothing can be sent any more the wait says why */
	channel_send(&guests->guest.channel, json_pack("{s:i}", "run", (int)index), NULL);
	while (ok && !has_result) {
		json_t *message, *part;

		*heard = guest_listen(&guests->guest, SILENCE_S, limit_s, &message);
		if (*heard != HEARD_MESSAGE)
			return FALSE;
		ok = take_error(message, error);
		if ((part = json_object_get(message, "warning")) && json_is_string(part))
			guests->warn(guests->data, json_string_value(part));
		if (ok && (part = json_object_get(message, "boot")))
			ok = enter_boot(guests, part, error);
		if (ok && (part = json_object_get(message, "result"))) {
			ok = has_result = run_result_from_json(part, probed, result, error);
			/* by the clock of this machine, since guests begin with a time in whole seconds */
			if (ok)
				result->started_us +=
				    g_get_real_time() - json_integer_value(json_object_get(message, "now_us"));
		}
		json_decref(message);
	}
	return ok;
}

/* Boots one, and where the plan is in the middle of a boot makes up for the warm-up runs that it has seen. */
static gboolean boot(struct guests *guests, guint index, const char **when, enum guest_heard *heard, GError **error)
{
	const struct plan *plan = guests->sitting->plan;
	gboolean ok;

	guest_end(&guests->guest);
	if (!store_enter_boot(guests->store, NULL, NULL, error) || !start_guest(guests, index, error))
		return FALSE;
	*when = "while it booted";
	ok = greet(guests, heard, error);
	if (ok)
		*when = "during a run to warm up";
	for (guint i = 0; ok && plan_continues_boot(plan, index) && !run_at(guests, index)->warmup && i < plan->warmup;
	     i++) {
		struct run_result ignored;

		ok = ask_for_run(guests, index, heard, &ignored, error);
		if (ok)
			run_result_clear(&ignored);
	}
	return ok;
}

gboolean guests_run(struct guests *guests, guint index, gboolean *made, struct run_result *result, GError **error)
{
	const struct plan *plan = guests->sitting->plan;
	gboolean is_up = guests->guest.is_up && guests->next == index && plan_continues_boot(plan, index), ok;
	g_autoptr(GError) cause = NULL;
	enum guest_heard heard = HEARD_MESSAGE;
	gboolean is_alone = alone_is();
	const char *when = NULL;

	*made = FALSE;
	ok = is_up || boot(guests, index, &when, &heard, &cause);
	if (ok)
		when = "during the run";
	ok = ok && ask_for_run(guests, index, &heard, result, &cause);
	if (cause) {
		g_propagate_error(error, g_steal_pointer(&cause));
		return FALSE;
	}
	if (!ok && heard == HEARD_STOP) {
		guest_end(&guests->guest);
		return TRUE;
	}
	*made = TRUE;
	if (!ok)
		guest_fail_run(&guests->guest, heard, when, result);
	if (!is_alone || !alone_is()) {
		result->flags |= FLAG_NOT_ALONE;
		guests->warn(guests->data, ALONE_WARNING);
	}
	result->flags |= guests->accelerator == ACCELERATOR_TCG ? FLAG_EMULATED : 0;
	guests->next = index + 1;
	if (guests->next >= plan->runs->len || !plan_continues_boot(plan, guests->next))
		guest_end(&guests->guest);
	return TRUE;
}

void guests_watch(struct guests *guests, void (*tick)(void *data), void (*warn)(void *data, const char *text),
		  void *data)
{
	guests->guest.tick = tick;
	guests->guest.data = data;
	guests->warn = warn;
	guests->data = data;
}

static gboolean open_scratch(struct guests *guests, GError **error)
{
	const struct place_options *place = &guests->sitting->place;

	if (!scratch_open(place->dir, &guests->scratch, error) ||
	    !scratch_check_room(&guests->scratch, place->image_bytes, "an image", error))
		return FALSE;
	guests->undo = undo_add(guests->store, &undo_directory, guests->scratch.path, NULL, NULL, error);
	return guests->undo != NULL;
}

/* A guest with less does not boot, and with more than there is here qemu does not start. */
static gboolean check_machine(const struct plan *plan, GError **error)
{
	const struct factor *mem = plan_factor(plan, "mem"), *cpus = plan_factor(plan, "cpus");
	guint64 number = 0;

	for (guint i = 0; mem && i < mem->levels->len; i++) {
		const char *level = mem->levels->pdata[i];

		if (!size_parse(level, &number, error))
			return FALSE;
		if (number < MEMORY_MIN || number > facts_memory())
			return err_usage(error, "'mem' of a virtual machine: %s is %s", level,
					 number < MEMORY_MIN ? "below 128 MiB" : "more than this machine has");
	}
	for (guint i = 0; cpus && i < cpus->levels->len; i++) {
		const char *level = cpus->levels->pdata[i];

		if (!count_parse(level, "'cpus' of a virtual machine", 1, CPUS_MAX, &number, error))
			return FALSE;
	}
	return TRUE;
}

struct guests *guests_new(const struct sitting *sitting, struct store *store, GError **error)
{
	struct guests *guests = g_new0(struct guests, 1);
	const char *why;

	*guests = (struct guests){.sitting = sitting, .store = store, .scratch = {.fd = -1, .parent_fd = -1}};
	guests->options = guest_kit_options(sitting);
	guests->initramfs = check_machine(sitting->plan, error) ? guest_kit_make(sitting, error) : NULL;
	if (guests->initramfs && open_scratch(guests, error)) {
		struct qemu_arg arg = arg_of(guests, 0);

		guests->here = facts_collect(guests->scratch.fd);
		if (qemu_choose_accelerator(&arg, &guests->accelerator, &why, error)) {
			if (why && !sitting->quiet)
				sitting->warn(
				    "virtual machines are emulated, for %s: that measures the kernel's code, not "
				    "processor or storage",
				    why);
			return guests;
		}
	}
	guests_free(guests);
	return NULL;
}

void guests_free(struct guests *guests)
{
	g_autofree char *left = NULL;

	if (!guests)
		return;
	guest_end(&guests->guest);
	if (guests->scratch.fd >= 0)
		scratch_remove(&guests->scratch, NULL);
	if (guests->undo)
		undo_one(guests->store, guests->undo, &left, NULL);
	undo_free(guests->undo);
	if (guests->initramfs)
		g_ptr_array_unref(guests->initramfs);
	g_clear_pointer(&guests->here, g_hash_table_unref);
	g_free(guests->options);
	g_free(guests);
}
