#ifndef BOOT_LOADER_H
#define BOOT_LOADER_H

#include <glib.h>

/* Which kernel the next boot of this machine has, and only the next. */

/* What a boot loader can boot. */
struct boot_entry {
	char *id;      /* what the boot loader knows it by */
	char *title;   /* for people */
	char *release; /* of its kernel, as "uname -r" tells it; NULL: unknown */
};
struct boot_entry *boot_entry_new(const char *id, const char *title, const char *release);
GPtrArray *boot_entries_new(void); /* struct boot_entry *, owned */

/* One row a boot loader. */
struct boot_loader {
	const char *name;
	const char *verb; /* of systemctl: boots what was chosen */
	/* Why the next boot cannot be chosen with it (newly allocated), as "it is not installed"; NULL: it can. */
	char *(*unusable)(void);
	/* In the boot loader's own order. NULL on error. */
	GPtrArray *(*entries)(GError **error);
	gboolean (*choose)(const struct boot_entry *entry, GError **error);
	gboolean (*forget)(GError **error); /* takes the choice back */
};
extern const struct boot_loader boot_grub, boot_systemd, boot_kexec;
extern const struct boot_loader *const boot_loader_table[]; /* ends with NULL, the most wanted first */

/* The first that can be used. An error tells of each why not. */
const struct boot_loader *boot_loader_find(GError **error);

/* The first of the entries with that id, else title, else release; NULL where there is none. */
const struct boot_entry *boot_entry_find(const GPtrArray *entries, const char *name);

/* The release in the name of a kernel's image, "/boot/vmlinuz-6.1.0" -> "6.1.0"; NULL where it has none. */
const char *boot_image_release(const char *path);

/* The entries of a grub.cfg; of submenus as grub-reboot takes them, "submenu>entry", ids where there are any.
 * source: "GNU GRUB Manual 2.06", sections "menuentry", "submenu", "default" */
GPtrArray *boot_grub_parse(const char *text);
/* Of the output of "bootctl list --json=short"; NULL on error.   source: bootctl(1) of systemd 252 */
GPtrArray *boot_systemd_parse(const char *json, GError **error);

#endif
