#include "kernel_case.h"

#include "../src/module_file.h"

#define MODULES "lib/modules/" VERSION_TEXT "/"

static int make_root(void **state)
{
	*state = g_dir_make_tmp("vmstat-bench.XXXXXX", NULL);
	return *state ? 0 : -1;
}

static int remove_root(void **state)
{
	remove_tree(*state);
	g_free(*state);
	return 0;
}

static void open_at(const char *root, const char *path, struct kernel *kernel)
{
	g_autofree char *image = g_build_filename(root, path, NULL);
	g_autoptr(GError) error = NULL;

	if (!kernel_open(image, kernel, &error))
		fail_msg("%s", error->message);
}

/* The files that wanted (blanks between) leads to, relative to the modules directory, blanks between. */
static char *resolve(const struct kernel *kernel, const char *wanted)
{
	g_auto(GStrv) names = g_strsplit(wanted, " ", -1);
	g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GError) error = NULL;
	GString *text = g_string_new(NULL);

	if (!kernel_modules_resolve(kernel, (const char *const *)names, paths, &error))
		fail_msg("%s", error->message);
	for (guint i = 0; i < paths->len; i++) {
		assert_true(g_str_has_prefix(paths->pdata[i], kernel->modules_dir));
		g_string_append_printf(text, "%s%s", i ? " " : "", (char *)paths->pdata[i] + strlen(kernel->modules_dir) + 1);
	}
	return g_string_free(text, FALSE);
}

static void assert_resolves(const struct kernel *kernel, const char *wanted, const char *want)
{
	g_autofree char *got = resolve(kernel, wanted);

	assert_string_equal(got, want);
}

/* Modules of one small kernel: a chain, a circle, one that is there twice, an algorithm, one that names what is missing. */
static void write_modules(const char *root)
{
	static const char builtin[] = "kernel/fs/inside.ko\nkernel/fs/in-side-two.ko\n";

	write_at(root, MODULES "modules.builtin", builtin, strlen(builtin));
	write_module(root, MODULES "kernel/a/top-most.ko", "license=GPL\0depends=mid_dle,inside\0name=top_most");
	write_module(root, MODULES "kernel/a/mid-dle.ko", "depends=base\0name=mid_dle");
	write_module(root, MODULES "kernel/a/base.ko", "depends=\0name=base");
	write_module(root, MODULES "kernel/b/one.ko", "depends=two\0name=one");
	write_module(root, MODULES "kernel/b/two.ko", "depends=one\0name=two");
	write_module(root, MODULES "kernel/b/twice.ko", "depends=\0name=twice");
	write_module(root, MODULES "updates/twice.ko", "depends=\0name=twice");
	write_module(root, MODULES "kernel/fs/soft.ko",
	             "softdep=pre: base crypto-sum nothing-such post: after\0softdep=pre: mid_dle\0depends=\0name=soft");
	write_module(root, MODULES "kernel/fs/after.ko", "depends=\0name=after");
	write_module(root, MODULES "kernel/crypto/sum_slow.ko", "alias=sum\0alias=crypto-sum\0depends=\0name=sum_slow");
	write_module(root, MODULES "kernel/crypto/sum-fast.ko", "alias=crypto-sum\0depends=\0name=sum_fast");
	write_module(root, MODULES "kernel/fs/orphan.ko", "depends=gone\0name=orphan");
	write_at(root, MODULES "kernel/fs/broken.ko", "not an object", 13);
	write_at(root, MODULES "kernel/fs/broken2.ko.xz", "not packed", 10);
}

/* Order: what is depended on first, each once; '-' is '_'; built in needs nothing; a circle ends; updates/ wins; soft
 * dependencies by name and by algorithm, before and after, and the missing one is left out. */
static void test_order(void **state)
{
	struct kernel kernel;

	write_image(*state, "boot/vmlinuz", VERSION_TEXT);
	write_modules(*state);
	open_at(*state, "boot/vmlinuz", &kernel);
	assert_string_equal(kernel.version, VERSION_TEXT);
	assert_resolves(&kernel, "top_most", "kernel/a/base.ko kernel/a/mid-dle.ko kernel/a/top-most.ko");
	assert_resolves(&kernel, "base top-most base", "kernel/a/base.ko kernel/a/mid-dle.ko kernel/a/top-most.ko");
	assert_resolves(&kernel, "inside in_side_two in-side-two", "");
	assert_resolves(&kernel, "one", "kernel/b/two.ko kernel/b/one.ko");
	assert_resolves(&kernel, "twice", "updates/twice.ko");
	assert_resolves(&kernel, "soft", "kernel/a/base.ko kernel/crypto/sum-fast.ko kernel/crypto/sum_slow.ko kernel/a/mid-dle.ko "
	                                 "kernel/fs/soft.ko kernel/fs/after.ko");
	kernel_clear(&kernel);
}

static void assert_fails(const struct kernel *kernel, const char *wanted, const char *text, const char *text2)
{
	const char *names[] = {wanted, NULL};
	g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GError) error = NULL;

	assert_false(kernel_modules_resolve(kernel, names, paths, &error));
	if (!strstr(error->message, text) || !strstr(error->message, text2))
		fail_msg("'%s' and '%s' are not both in: %s", text, text2, error->message);
}

/* Errors name the module that is missing, who wants it and the directory; a damaged file by its path. */
static void test_missing_and_damaged(void **state)
{
	struct kernel kernel;

	write_image(*state, "vmlinuz", VERSION_TEXT);
	write_modules(*state);
	open_at(*state, "vmlinuz", &kernel);
	assert_fails(&kernel, "no-such", "has no module 'no_such'", kernel.modules_dir);
	assert_fails(&kernel, "orphan", "has no module 'gone', on which 'orphan' depends", kernel.modules_dir);
	assert_fails(&kernel, "broken", "kernel/fs/broken.ko' is not a module", "64-bit");
	assert_fails(&kernel, "broken2", "cannot unpack '", "kernel/fs/broken2.ko.xz'");
	kernel_clear(&kernel);
}

/* Where modules are found: beside the image, beside its directory, with usr/ before, through a symlink to the image, in
 * the image's own directory, and in the tree where it was built. */
static void test_places(void **state)
{
	static const char *const places[][2] = {
	    {"1/vmlinuz", "1/lib/modules/" VERSION_TEXT},          {"2/boot/vmlinuz-x", "2/lib/modules/" VERSION_TEXT},
	    {"3/boot/vmlinuz-x", "3/usr/lib/modules/" VERSION_TEXT}, {"4/modules/v/vmlinuz", "4/modules/v"},
	    {"5/arch/x86/boot/bzImage", "5"},
	};
	g_autofree char *link = g_build_filename(*state, "link", NULL);
	struct kernel kernel;

	for (guint i = 0; i < G_N_ELEMENTS(places); i++) {
		g_autofree char *list = g_build_filename(places[i][1], "modules.builtin", NULL);

		write_image(*state, places[i][0], VERSION_TEXT);
		write_at(*state, list, "", 0);
		open_at(*state, places[i][0], &kernel);
		assert_string_equal(kernel.modules_dir + strlen(*state) + 1, places[i][1]);
		kernel_clear(&kernel);
	}
	assert_int_equal(symlink("2/boot/vmlinuz-x", link), 0);
	open_at(*state, "link", &kernel);
	assert_true(g_str_has_suffix(kernel.modules_dir, places[1][1]));
	kernel_clear(&kernel);
}

static void assert_no_kernel(const char *root, const char *path, int code, const char *text)
{
	g_autofree char *image = g_build_filename(root, path, NULL);
	g_autoptr(GError) error = NULL;
	struct kernel kernel;

	assert_false(kernel_open(image, &kernel, &error));
	kernel_clear(&kernel);
	assert_int_equal(error->code, code);
	if (!strstr(error->message, text))
		fail_msg("no '%s' in: %s", text, error->message);
}

/* What is no kernel, does not say its version, says one that is a path, or comes without modules. */
static void test_no_kernel(void **state)
{
	char text[0x300] = "text";

	assert_no_kernel(*state, "absent", ERR_RUNTIME, "absent'");
	write_at(*state, "short", "MZ", 2);
	assert_no_kernel(*state, "short", ERR_USAGE, "is not a Linux kernel image");
	write_at(*state, "text", text, sizeof text);
	assert_no_kernel(*state, "text", ERR_USAGE, "is not a Linux kernel image");
	memcpy(text + 0x202, "HdrS\0\0\0\0\0\0\0\0\xff\xff", 14);
	write_at(*state, "silent", text, sizeof text);
	assert_no_kernel(*state, "silent", ERR_USAGE, "does not say its version");
	write_image(*state, "path", "../../etc");
	assert_no_kernel(*state, "path", ERR_USAGE, "does not say its version");
	write_image(*state, "boot/bare", VERSION_TEXT);
	assert_no_kernel(*state, "boot/bare", ERR_RUNTIME, "/boot/lib/modules/" VERSION_TEXT "'");
	assert_no_kernel(*state, "boot/bare", ERR_RUNTIME, "version " VERSION_TEXT);
}

/* Packed modules are read as what was packed, by the programs that pack them; a cut file is damaged. */
static void test_packed(void **state)
{
	static const char *const packers[][2] = {{"xz", "xz"}, {"zstd", "zst"}, {"gzip", "gz"}};
	g_autofree char *plain = g_build_filename(*state, "m.ko", NULL);
	g_autofree char *info = g_malloc(3u << 20);

	memcpy(info, "name=m\0depends=x", 17);
	for (guint i = 17; i < 3u << 20; i++)
		info[i] = (char)(i * i >> 7);
	write_module_of(*state, "m.ko", info, 3u << 20);
	for (guint i = 0; i < G_N_ELEMENTS(packers); i++) {
		g_autofree char *packed = g_strconcat(plain, ".", packers[i][1], NULL), *program = g_strdup(packers[i][0]);
		char *argv[] = {program, (char[]){"-kq"}, plain, NULL};
		g_autoptr(GBytes) want = module_file_read(plain, NULL), got = NULL;
		g_autoptr(GError) error = NULL;
		g_autofree char *data = NULL;
		gsize size;
		int status;

		assert_true(g_spawn_sync(NULL, argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status, NULL));
		assert_int_equal(status, 0);
		got = module_file_read(packed, NULL);
		assert_non_null(got);
		assert_true(g_bytes_equal(got, want));
		assert_true(g_file_get_contents(packed, &data, &size, NULL));
		assert_true(g_file_set_contents(packed, data, (gssize)size / 2, NULL));
		assert_null(module_file_read(packed, &error));
		assert_non_null(strstr(error->message, "cannot unpack"));
	}
}

/* However an object is cut, nothing behind its end is read and no module comes out unless .modinfo is there. */
static void test_cut_object(void **state)
{
	g_autoptr(GBytes) module = make_module("depends=a\0depends=b", 20);
	g_autoptr(GPtrArray) whole = module_file_info(module, "depends");

	assert_int_equal(whole->len, 2);
	assert_string_equal(whole->pdata[0], "a");
	assert_string_equal(whole->pdata[1], "b");
	for (gsize size = 0; size < g_bytes_get_size(module); size++) {
		g_autofree char *copy = g_memdup2(g_bytes_get_data(module, NULL), size);
		g_autoptr(GBytes) cut = g_bytes_new_static(copy, size);
		g_autoptr(GPtrArray) values = module_file_info(cut, "depends");

		assert_null(values);
	}
}

/* Each module's place is behind those of all that it depends on, or these are built in: then no file has their name. */
static void assert_loadable(const struct kernel *kernel, const char *files)
{
	g_autofree char *before = g_strdup(" ");
	g_auto(GStrv) list = g_strsplit(files, " ", -1);

	for (char **file = list; *file; file++) {
		g_autofree char *path = g_build_filename(kernel->modules_dir, *file, NULL), *name = g_path_get_basename(*file), *old = before;
		g_autoptr(GBytes) module = module_file_read(path, NULL);
		g_autoptr(GPtrArray) depends = module_file_info(module, "depends");
		g_auto(GStrv) needed = g_strsplit(depends->pdata[0], ",", -1);

		for (char **need = needed; *need && **need; need++) {
			g_autofree char *word = g_strdup_printf(" %s ", *need);

			if (!strstr(before, word))
				fail_msg("%s comes before %s", *file, *need);
		}
		*strstr(name, ".ko") = '\0';
		before = g_strconcat(old, g_strdelimit(name, "-", '_'), " ", NULL);
	}
}

/* Debian's kernels, unpacked and nothing more. The files are those that modprobe --show-depends lists after depmod. */
static void test_debian(void **state)
{
	static const struct {
		const char *series, *wanted, *files;
	} cases[] = {
	    {"6.1", "virtio_pci", "drivers/virtio/virtio_ring drivers/virtio/virtio drivers/virtio/virtio_pci_modern_dev "
	                          "drivers/virtio/virtio_pci_legacy_dev drivers/virtio/virtio_pci"},
	    {"6.1", "ext4", ""},
	    {"6.1", "xfs", "arch/x86/crypto/crc32c-intel lib/libcrc32c fs/xfs/xfs"},
	    {"6.1", "btrfs", "arch/x86/crypto/crc32c-intel lib/libcrc32c lib/zstd/zstd_compress lib/raid6/raid6_pq crypto/xor "
	                     "crypto/blake2b_generic fs/btrfs/btrfs"},
	    {"6.1", "nfsd", "net/sunrpc/sunrpc fs/nfs_common/grace fs/lockd/lockd fs/nfs_common/nfs_acl "
	                    "net/sunrpc/auth_gss/auth_rpcgss fs/nfsd/nfsd"},
	    {"6.12", "virtio_pci", ""},
	    {"6.12", "virtio_blk", "drivers/block/virtio_blk"},
	    {"6.12", "btrfs", "arch/x86/crypto/crc32c-intel lib/libcrc32c lib/raid6/raid6_pq crypto/xor crypto/blake2b_generic "
	                      "fs/btrfs/btrfs"},
	    {"6.12", "nfsv4", "fs/netfs/netfs net/sunrpc/sunrpc fs/nfs_common/grace fs/lockd/lockd fs/nfs/nfs "
	                      "net/dns_resolver/dns_resolver fs/nfs/nfsv4"},
	};
	g_autofree char *one = debian_image("6.1"), *other = debian_image("6.12");
	struct kernel kernel;

	if (!one || !other)
		skip();
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *image = debian_image(cases[i].series), *got = NULL;
		g_auto(GStrv) files = g_strsplit(cases[i].files, " ", -1);

		open_at("/", image, &kernel);
		assert_true(g_str_has_suffix(image, kernel.version));
		got = resolve(&kernel, cases[i].wanted);
		assert_int_equal(*got == '\0', *files == NULL);
		for (char **file = files; *file; file++) {
			g_autofree char *path = g_strdup_printf("kernel/%s.ko", *file);

			if (!strstr(got, path))
				fail_msg("%s of %s is not in: %s", path, cases[i].wanted, got);
		}
		if (*got)
			assert_loadable(&kernel, got);
		kernel_clear(&kernel);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_order, make_root, remove_root),
	    cmocka_unit_test_setup_teardown(test_missing_and_damaged, make_root, remove_root),
	    cmocka_unit_test_setup_teardown(test_places, make_root, remove_root),
	    cmocka_unit_test_setup_teardown(test_no_kernel, make_root, remove_root),
	    cmocka_unit_test_setup_teardown(test_packed, make_root, remove_root),
	    cmocka_unit_test(test_cut_object),
	    cmocka_unit_test(test_debian),
	};

	return cmocka_run_group_tests_name("kernel_modules", tests, NULL, NULL);
}
