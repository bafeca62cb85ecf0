#include "setting_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "err.h"
#include "kernel_file.h"
#include "registry.h"

/* A write to sysfs is at most a page, and the line end is one byte of it. */
#define LEVEL_MAX 4095

struct file_state {
	const struct setting_file_kind *kind;
	char *subject;
	struct undo *undo; /* NULL: another setting puts it back */
};

gboolean setting_file_check_level(const char *prefix, const char *rest, const char *level, GError **error)
{
	if (*level && !strchr(level, '\n') && strlen(level) <= LEVEL_MAX)
		return TRUE;
	return err_usage(error, "setting '%s%s' takes a level of one line, 1 to %d bytes", prefix, rest, LEVEL_MAX);
}

static char *read_text(const struct setting_file_kind *kind, const char *subject)
{
	int fd = kind->open(subject, O_RDONLY);
	char *text = fd < 0 ? NULL : kernel_file_read(fd);

	kernel_file_close(fd);
	return text;
}

char *setting_file_read(const struct setting_file_kind *kind, const char *subject)
{
	g_autofree char *text = read_text(kind, subject);
	char *chosen = text && kind->has_choices ? kernel_value_chosen(text) : NULL;

	return chosen ? chosen : g_steal_pointer(&text);
}

gboolean setting_file_write(const struct setting_file_kind *kind, const char *subject, const char *value)
{
	int fd = kind->open(subject, O_WRONLY);
	gboolean ok = fd >= 0 && kernel_file_write(fd, value);

	kernel_file_close(fd);
	return ok;
}

static const char *partner_of(const struct setting_file_kind *kind, const char *subject)
{
	return kind->partner ? kind->partner(subject) : NULL;
}

/* As setting_file_read(); "PARTNER=VALUE" where that one is in force and not this. */
static char *read_pair(const struct setting_file_kind *kind, const char *subject)
{
	g_autofree char *value = setting_file_read(kind, subject), *other = NULL;
	const char *partner = partner_of(kind, subject);

	if (!value || !partner || !g_str_equal(value, "0"))
		return g_steal_pointer(&value);
	other = setting_file_read(kind, partner);
	if (!other || g_str_equal(other, "0"))
		return g_steal_pointer(&value);
	return g_strdup_printf("%s=%s", partner, other);
}

/* Writes what read_pair() returned. */
static gboolean write_pair(const struct setting_file_kind *kind, const char *subject, const char *value)
{
	const char *partner = partner_of(kind, subject);
	gsize length = partner ? strlen(partner) : 0;

	if (partner && g_str_has_prefix(value, partner) && value[length] == '=')
		return setting_file_write(kind, partner, value + length + 1);
	return setting_file_write(kind, subject, value);
}

static gboolean is_gone(int errno_value)
{
	return errno_value == ENOENT || errno_value == ENODEV || errno_value == ENXIO || errno_value == ENOTDIR;
}

static gboolean is_ours(const struct undo *undo, const char *value)
{
	for (char *const *level = undo->ours; level && *level; level++)
		if (kernel_value_same(value, *level))
			return TRUE;
	return FALSE;
}

/* Says that the value is somebody else's. */
static char *tell_left(const struct undo *undo, const char *value)
{
	g_autofree char *is = kernel_value_canonical(value), *was = kernel_value_canonical(undo->before);
	g_autofree char *ours = g_strjoinv(", ", undo->ours);

	return g_strdup_printf("%s '%s' is %s, which is neither what it was (%s) nor what was set (%s): left alone",
			       undo->kind, undo->subject, is, was, ours);
}

gboolean setting_file_put_back(const struct setting_file_kind *kind, const struct undo *undo, gboolean *is_changed,
			       char **left, GError **error)
{
	g_autofree char *value = read_pair(kind, undo->subject), *after = NULL;

	*left = NULL;
	if (!value && is_gone(errno)) {
		*left = g_strdup_printf("%s '%s' is gone: left alone", undo->kind, undo->subject);
		return TRUE;
	}
	if (!value || !undo->before)
		return err_errno(error, value ? EINVAL : errno, "cannot put back %s '%s'", undo->kind, undo->subject);
	if (g_str_equal(value, undo->before))
		return TRUE;
	if (!is_ours(undo, value)) {
		if (!kernel_value_same(value, undo->before))
			*left = tell_left(undo, value);
		return TRUE;
	}
	*is_changed = TRUE;
	if (!write_pair(kind, undo->subject, undo->before) || !(after = read_pair(kind, undo->subject)))
		return err_errno(error, errno, "cannot put back %s '%s' to '%s'", undo->kind, undo->subject,
				 undo->before);
	return kernel_value_same(after, undo->before) ||
	       err_runtime(error, "cannot put back %s '%s' to '%s': the kernel made it '%s'", undo->kind, undo->subject,
			   undo->before, after);
}

/* Two that change the same would put back each other's values. */
static gboolean check_unclaimed(const struct setting *setting, const struct setting_file_kind *kind,
				const char *subject, struct store *store, GError **error)
{
	g_autoptr(Undo) other = NULL;

	if (!subject)
		return TRUE;
	if (!undo_find(store, kind->undo, subject, &other, error))
		return FALSE;
	if (!other)
		return TRUE;
	if (other->pid == getpid())
		return err_usage(error, "setting '%s' cannot be together with that of '%s': the one changes the other",
				 setting->name, subject);
	return err_runtime(error, "setting '%s' has to wait: process %" G_GINT64_FORMAT " is changing %s '%s'",
			   setting->name, other->pid, other->kind, other->subject);
}

/* Fills *error with why the file cannot be had; returns FALSE. */
static gboolean fail_open(const struct setting *setting, int errno_value, GError **error)
{
	const struct file_state *state = setting->state;
	const char *kind = state->kind->undo->name;

	/* that is for want of something in this process, not of the file */
	if (errno_value == EMFILE || errno_value == ENFILE || errno_value == ENOMEM)
		return err_errno(error, errno_value, "cannot open %s '%s'", kind, state->subject);
	return err_errno(error, errno_value, "setting '%s' is not available here: %s '%s'", setting->name, kind,
			 state->subject);
}

/* With the registry locked, so that nobody else is setting it from the look at what it is on. */
static gboolean note(const struct setting *setting, struct file_state *state, struct store *store, GError **error)
{
	const struct setting_file_kind *kind = state->kind;
	g_autofree char *value = NULL, *notes = NULL, *before = NULL;
	g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
	g_auto(GStrv) levels = NULL;
	int fd;

	if (!check_unclaimed(setting, kind, state->subject, store, error) ||
	    !check_unclaimed(setting, kind, partner_of(kind, state->subject), store, error))
		return FALSE;
	value = read_pair(kind, state->subject);
	fd = value ? kind->open(state->subject, O_WRONLY) : -1;
	if (fd < 0)
		return fail_open(setting, errno, error);
	kernel_file_close(fd);
	notes = kind->notes ? kind->notes(state->subject) : NULL;
	before = notes ? g_strdup_printf("%s\n%s", value, notes) : g_steal_pointer(&value);
	for (guint i = 0; i < setting->levels->len; i++)
		g_strv_builder_add(builder, setting->levels->pdata[i]);
	levels = g_strv_builder_end(builder);
	state->undo = undo_add(store, kind->undo, state->subject, before, levels, error);
	return state->undo != NULL;
}

gboolean setting_file_begin(struct setting *setting, const struct setting_file_kind *kind, const char *subject,
			    gboolean is_covered, struct setting_env *env, GError **error)
{
	struct file_state *state;
	gboolean ok;

	if (geteuid() != 0)
		return err_runtime(error, "setting '%s' needs root", setting->name);
	state = g_new0(struct file_state, 1);
	state->kind = kind;
	state->subject = g_strdup(subject);
	setting->state = state;
	if (is_covered)
		return TRUE;
	if (!registry_lock(error))
		return FALSE;
	ok = note(setting, state, env->store, error);
	registry_unlock();
	return ok;
}

/* Fills *error with why the kernel did not take the level; returns FALSE. */
static gboolean refuse(const struct setting *setting, const char *level, int errno_value, GError **error)
{
	const struct file_state *state = setting->state;
	g_autofree char *text = state->kind->has_choices ? read_text(state->kind, state->subject) : NULL;
	g_autofree char *choices = NULL;

	if (!text || !strchr(text, '['))
		return err_errno(error, errno_value, "the kernel refuses '%s' for setting '%s'", level, setting->name);
	choices = kernel_value_canonical(g_strdelimit(text, "[]", ' '));
	return err_errno(error, errno_value, "the kernel refuses '%s' for setting '%s', where there are %s", level,
			 setting->name, choices);
}

/* For people; NULL with errno. */
static char *read_effective(const struct file_state *state)
{
	g_autofree char *text = read_pair(state->kind, state->subject);

	return text ? kernel_value_canonical(text) : NULL;
}

/* After a level that did not take: the kernel may have made of it what is neither. It is ours, but only we know. */
static void take_back(const struct file_state *state, const char *was)
{
	g_autofree char *is = read_pair(state->kind, state->subject), *left = NULL;
	g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
	gboolean is_changed;

	if (!state->undo || !is || g_strcmp0(is, was) == 0)
		return;
	for (char **level = state->undo->ours; *level; level++)
		g_strv_builder_add(builder, *level);
	g_strv_builder_add(builder, is);
	g_strfreev(state->undo->ours);
	state->undo->ours = g_strv_builder_end(builder);
	state->kind->undo->put_back(state->undo, &is_changed, &left, NULL);
}

gboolean setting_file_apply(struct setting *setting, const char *level, struct setting_env *env, GError **error)
{
	struct file_state *state = setting->state;
	g_autofree char *was = read_pair(state->kind, state->subject), *is = NULL;
	int fd = state->kind->open(state->subject, O_WRONLY);
	gboolean ok;

	if (fd < 0)
		return fail_open(setting, errno, error);
	ok = kernel_file_write(fd, level) || refuse(setting, level, errno, error);
	kernel_file_close(fd);
	if (ok && !(is = read_effective(state)))
		ok = err_errno(error, errno, "cannot read %s '%s' back", state->kind->undo->name, state->subject);
	else if (ok && !kernel_value_same(is, level))
		ok = err_runtime(error, "setting '%s' did not take: asked for %s, the kernel made it %s", setting->name,
				 level, is);
	if (!ok) {
		take_back(state, was);
		return FALSE;
	}
	g_free(setting->effective);
	setting->effective = g_steal_pointer(&is);
	return TRUE;
}

char *setting_file_changed(const struct setting *setting)
{
	const struct file_state *state = setting->state;
	g_autofree char *is = read_effective(state);

	if (!is)
		return g_strdup_printf("%s '%s' could no longer be read (%s)", state->kind->undo->name, state->subject,
				       g_strerror(errno));
	if (g_str_equal(is, setting->effective))
		return NULL;
	return g_strdup_printf("%s '%s' was changed from %s to %s", state->kind->undo->name, state->subject,
			       setting->effective, is);
}

gboolean setting_file_end(struct setting *setting, struct setting_env *env, char **left, GError **error)
{
	struct file_state *state = setting->state;
	gboolean ok = TRUE;

	*left = NULL;
	if (!state)
		return TRUE;
	if (state->undo)
		ok = undo_one(env->store, state->undo, left, error);
	undo_free(state->undo);
	g_free(state->subject);
	g_free(state);
	setting->state = NULL;
	g_clear_pointer(&setting->effective, g_free);
	return ok;
}
