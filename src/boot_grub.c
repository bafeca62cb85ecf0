#include "boot_loader.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "device.h"
#include "err.h"
#include "tool.h"

#define CONFIG "/boot/grub/grub.cfg"
#define ENVIRONMENT "/boot/grub"

/* What is open where a grub.cfg is read: the braces of menus, entries and functions. */
struct level {
	char *id, *title;         /* of a menu; NULL: something else */
	struct boot_entry *entry; /* NULL: something else */
};

static void level_clear(gpointer data)
{
	struct level *level = data;

	g_free(level->id);
	g_free(level->title);
}

/* '>' leads into a submenu. */
static char *escape(const char *name)
{
	g_auto(GStrv) parts = g_strsplit(name, ">", -1);

	return g_strjoinv(">>", parts);
}

/* The name with those of the menus that it is in. */
static char *name_below(const GArray *levels, gboolean by_id, const char *name)
{
	g_autoptr(GString) path = g_string_new(NULL);
	g_autofree char *last = escape(name);

	for (guint i = 0; i < levels->len; i++) {
		const struct level *level = &g_array_index(levels, struct level, i);
		g_autofree char *part = level->id ? escape(by_id ? level->id : level->title) : NULL;

		if (part)
			g_string_append_printf(path, "%s>", part);
	}
	g_string_append(path, last);
	return g_string_free(g_steal_pointer(&path), FALSE);
}

/* The id that the words of a menuentry or submenu line give, else its title. */
static const char *find_id(char *const *words)
{
	for (char *const *word = words + 2; *word; word++) {
		if ((g_str_equal(*word, "$menuentry_id_option") || g_str_equal(*word, "--id")) && word[1])
			return word[1];
		if (g_str_has_prefix(*word, "--id="))
			return *word + strlen("--id=");
	}
	return words[1];
}

static void open_level(GArray *levels, char *const *words, GPtrArray *entries)
{
	struct level level = {0};

	if (g_str_equal(words[0], "menuentry")) {
		g_autofree char *id = name_below(levels, TRUE, find_id(words)),
				*title = name_below(levels, FALSE, words[1]);

		level.entry = boot_entry_new(id, title, NULL);
		g_ptr_array_add(entries, level.entry);
	} else if (g_str_equal(words[0], "submenu")) {
		level.id = g_strdup(find_id(words));
		level.title = g_strdup(words[1]);
	}
	g_array_append_val(levels, level);
}

static void read_line(const char *line, GArray *levels, GPtrArray *entries)
{
	g_auto(GStrv) words = NULL;
	struct level *level = levels->len ? &g_array_index(levels, struct level, levels->len - 1) : NULL;
	int n;

	/* what the shell's quoting cannot be read of is none of the lines that matter here */
	if (!g_shell_parse_argv(line, &n, &words, NULL))
		return;
	if (n > 1 && g_str_equal(words[n - 1], "{"))
		open_level(levels, words, entries);
	else if (g_str_equal(words[0], "}") && level)
		g_array_set_size(levels, levels->len - 1);
	else if (level && level->entry && g_str_has_prefix(words[0], "linux") && n > 1 && !level->entry->release)
		level->entry->release = g_strdup(boot_image_release(words[1]));
}

GPtrArray *boot_grub_parse(const char *text)
{
	g_autoptr(GPtrArray) entries = boot_entries_new();
	g_autoptr(GArray) levels = g_array_new(FALSE, FALSE, sizeof(struct level));
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	g_array_set_clear_func(levels, level_clear);
	for (char **line = lines; *line; line++)
		read_line(*line, levels, entries);
	return g_steal_pointer(&entries);
}

/* grub itself takes the choice back, as it boots: it must be able to write there.
 * source: "GNU GRUB Manual 2.06", section "Environment block" */
static char *describe_sticky(void)
{
	int fd = open(ENVIRONMENT, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	g_autofree char *fs = fd < 0 ? NULL : device_filesystem(fd);
	g_autofree char *disk = fd < 0 ? NULL : device_disk(device_of_directory(fd));
	char *why = NULL;

	if (fd >= 0)
		close(fd);
	if (!disk || !fs)
		return g_strdup("what '" ENVIRONMENT "' lies on cannot be told");
	if (g_str_has_prefix(disk, "dm-") || g_str_has_prefix(disk, "md"))
		why = disk;
	else if (g_str_equal(fs, "btrfs") || g_str_equal(fs, "zfs"))
		why = fs;
	return why ? g_strdup_printf("a choice would last: grub cannot write to '" ENVIRONMENT "' on %s", why) : NULL;
}

static char *unusable(void)
{
	g_autofree char *program = tool_find("grub-reboot", "grub2-common", NULL), *text = NULL;

	if (!program || !g_file_get_contents(CONFIG, &text, NULL, NULL))
		return g_strdup_printf("there is no %s", program ? CONFIG : "grub-reboot");
	if (!strstr(text, "next_entry"))
		return g_strdup(CONFIG " does not look at what grub-reboot chooses");
	return describe_sticky();
}

static GPtrArray *entries(GError **error)
{
	g_autofree char *text = NULL;

	return g_file_get_contents(CONFIG, &text, NULL, error) ? boot_grub_parse(text) : NULL;
}

static gboolean choose(const struct boot_entry *entry, GError **error)
{
	g_autofree char *program = tool_find("grub-reboot", "grub2-common", error);
	char *const argv[] = {program, entry->id, NULL};

	return program && tool_run(argv, AT_FDCWD, error);
}

static gboolean forget(GError **error)
{
	g_autofree char *program = tool_find("grub-editenv", "grub-common", error);
	char *const argv[] = {program, (char[]){"-"}, (char[]){"unset"}, (char[]){"next_entry"}, NULL};

	return program && tool_run(argv, AT_FDCWD, error);
}

const struct boot_loader boot_grub = {
    .name = "grub", .verb = "reboot", .unusable = unusable, .entries = entries, .choose = choose, .forget = forget};
