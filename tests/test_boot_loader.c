#include "check.h"

#include "../src/boot_loader.h"

/* The entries that boot loaders list, and which of them a kernel's release or name means. */

/* As grub-mkconfig of Debian 12 writes it, shortened: functions and conditions have braces and words of their own. */
static const char grub[] =
    "if [ \"${next_entry}\" ] ; then\n"
    "   set default=\"${next_entry}\"\n"
    "   set next_entry=\n"
    "   save_env next_entry\n"
    "fi\n"
    "function load_video {\n"
    "  if [ x$feature_all_video_module = xy ]; then\n"
    "    insmod all_video\n"
    "  fi\n"
    "}\n"
    "menuentry 'Debian GNU/Linux' --class debian --class gnu $menuentry_id_option 'gnulinux-simple-17' {\n"
    "\tload_video\n"
    "\techo\t'Loading Linux 6.12.9-amd64 ...'\n"
    "\tlinux\t/boot/vmlinuz-6.12.9-amd64 root=UUID=17 ro  quiet\n"
    "\tinitrd\t/boot/initrd.img-6.12.9-amd64\n"
    "}\n"
    "submenu 'Advanced options for Debian GNU/Linux' $menuentry_id_option 'gnulinux-advanced-17' {\n"
    "\tmenuentry 'Debian GNU/Linux, with Linux 6.12.9-amd64' --class os $menuentry_id_option "
    "'gnulinux-6.12.9-amd64-advanced-17' {\n"
    "\t\tlinux\t/boot/vmlinuz-6.12.9-amd64 root=UUID=17 ro  quiet\n"
    "\t}\n"
    "\tmenuentry 'Debian GNU/Linux, with Linux 6.1.0-5-amd64' --class os $menuentry_id_option "
    "'gnulinux-6.1.0-5-amd64-advanced-17' {\n"
    "\t\tlinux\t/boot/vmlinuz-6.1.0-5-amd64 root=UUID=17 ro  quiet\n"
    "\t}\n"
    "\tmenuentry 'Debian GNU/Linux, with Linux 6.1.0-5-amd64 (recovery mode)' $menuentry_id_option "
    "'gnulinux-6.1.0-5-amd64-recovery-17' {\n"
    "\t\tlinux\t/boot/vmlinuz-6.1.0-5-amd64 root=UUID=17 ro single\n"
    "\t}\n"
    "}\n"
    "menuentry 'it'\\''s > memtest' --id 'a>b' {\n"
    "\tlinux16\t/boot/memtest86+.bin\n"
    "}\n";

/* A release is found where it is booted first, an entry by the id that grub-reboot takes, and by its title. */
static void test_grub(void **state)
{
	g_autoptr(GPtrArray) entries = boot_grub_parse(grub);
	const struct boot_entry *entry;

	assert_int_equal(entries->len, 5);
	entry = boot_entry_find(entries, "6.1.0-5-amd64");
	assert_string_equal(entry->id, "gnulinux-advanced-17>gnulinux-6.1.0-5-amd64-advanced-17");
	assert_string_equal(entry->title,
			    "Advanced options for Debian GNU/Linux>Debian GNU/Linux, with Linux 6.1.0-5-amd64");
	assert_ptr_equal(boot_entry_find(entries, entry->id), entry);
	assert_ptr_equal(boot_entry_find(entries, entry->title), entry);
	entry = boot_entry_find(entries, "6.12.9-amd64");
	assert_string_equal(entry->id, "gnulinux-simple-17");
	entry = boot_entry_find(entries, "gnulinux-advanced-17>gnulinux-6.1.0-5-amd64-recovery-17");
	assert_string_equal(entry->release, "6.1.0-5-amd64");
	entry = boot_entry_find(entries, "it's >> memtest");
	assert_string_equal(entry->id, "a>>b");
	assert_null(entry->release);
	assert_null(boot_entry_find(entries, "6.1"));
}

/* What bootctl(1) lists; what is no list is an error. */
static void test_systemd_boot(void **state)
{
	g_autoptr(GPtrArray) entries =
	    boot_systemd_parse("[{\"type\":\"type1\",\"id\":\"a-6.1.0.conf\",\"title\":\"Debian\",\"version\":\"6.1."
			       "0\",\"linux\":\"/a/6.1.0/linux\"},"
			       "{\"id\":\"b.conf\",\"title\":\"own\",\"linux\":\"/"
			       "vmlinuz-6.12\"},{\"id\":\"auto-reboot-to-firmware-setup\"}]",
			       NULL);
	g_autoptr(GError) error = NULL;

	assert_int_equal(entries->len, 3);
	assert_string_equal(boot_entry_find(entries, "6.1.0")->id, "a-6.1.0.conf");
	assert_string_equal(boot_entry_find(entries, "6.12")->id, "b.conf");
	assert_null(boot_entry_find(entries, "auto-reboot-to-firmware-setup")->release);
	assert_null(boot_systemd_parse("No boot loader\n", &error));
	assert_non_null(strstr(error->message, "bootctl list"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_grub),
	    cmocka_unit_test(test_systemd_boot),
	};

	return cmocka_run_group_tests_name("boot loaders", tests, NULL, NULL);
}
