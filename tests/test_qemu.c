#include "kernel_case.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "../src/clock.h"
#include "../src/initramfs.h"
#include "../src/qemu.h"

/* Guests whose init is this very program: see guest_main(). */

#define BOOT_S 120 /* emulated, beside other work */
#define MIB (1u << 20)

static void guest_load_modules(FILE *channel)
{
	g_autofree char *order = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents("/modules/order", &order, NULL, NULL))
		return;
	lines = g_strsplit(g_strchomp(order), "\n", -1);
	for (char **line = lines; *line && **line; line++) {
		int fd = open(*line, O_RDONLY | O_CLOEXEC);

		if (fd < 0 || (syscall(SYS_finit_module, fd, "", 0) < 0 && errno != ENODEV))
			fprintf(channel, "cannot load %s: %s\n", *line, g_strerror(errno));
		close(fd);
	}
}

/* In the guest: says "hello", loads the modules, says what the disk holds, writes to it, and does what it is told by the
 * line that comes: "panic" or anything else. */
static int guest_main(void)
{
	struct termios raw;
	char line[64] = "", sector[512] = "";
	g_autofree char *write_cache = NULL;
	FILE *channel, *in;
	int fd;

	mount("none", "/dev", "devtmpfs", 0, NULL);
	mount("none", "/sys", "sysfs", 0, NULL);
	fd = open("/dev/ttyS1", O_RDWR | O_NOCTTY);
	if (fd < 0 || tcgetattr(fd, &raw) < 0)
		return 1;
	cfmakeraw(&raw);
	tcsetattr(fd, TCSANOW, &raw);
	channel = fdopen(fd, "w");
	in = fdopen(dup(fd), "r");
	setvbuf(channel, NULL, _IOLBF, 0);
	fprintf(channel, "hello\n");
	printf("\033[31mred\033[0m \001on the console\n");
	fflush(stdout);
	guest_load_modules(channel);
	fd = open("/dev/vda", O_RDWR | O_CLOEXEC);
	if (fd >= 0 && pread(fd, sector, 16, 0) == 16)
		fprintf(channel, "disk %s\n", sector);
	if (fd >= 0 && pwrite(fd, "written by guest", 16, 512) == 16 && fsync(fd) == 0)
		fprintf(channel, "synced\n");
	if (g_file_get_contents("/sys/block/vda/queue/write_cache", &write_cache, NULL, NULL))
		fprintf(channel, "cache %s", write_cache);
	fprintf(channel, "cpus %ld\n", sysconf(_SC_NPROCESSORS_ONLN));
	fprintf(channel, "end\n");
	if (!fgets(line, sizeof line, in) || strcmp(line, "panic\n") == 0)
		return 1; /* the end of init is a panic */
	reboot(RB_POWER_OFF);
	return 1;
}

struct guest {
	struct kernel kernel;
	char *dir, *initramfs, *image;
	struct qemu_arg arg;
	struct qemu qemu;
};

static void prepare_guest(struct guest *guest, const char *series)
{
	static const char *const modules[] = {"virtio_pci", "virtio_blk", "xfs", NULL}, *const none[] = {NULL};
	g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
	const struct initramfs_arg arg = {.programs = none, .files = none, .modules = paths};
	g_autofree char *kernel = debian_image(series);
	g_autoptr(GError) error = NULL;

	assert_non_null(kernel);
	if (!kernel_open(kernel, &guest->kernel, &error) ||
	    !kernel_modules_resolve(&guest->kernel, modules, paths, &error) ||
	    !(guest->initramfs = initramfs_make(&arg, &error)))
		fail_msg("%s", error->message);
	guest->dir = g_dir_make_tmp("vmstat-bench.XXXXXX", NULL);
	/* a comma, which separates qemu's options */
	guest->image = g_build_filename(guest->dir, "a,image", NULL);
	write_at(guest->dir, "a,image", "from the host", 14);
	assert_int_equal(truncate(guest->image, 16 * MIB), 0);
	guest->arg = (struct qemu_arg){.kernel = guest->kernel.image,
				       .initramfs = guest->initramfs,
				       .images = {guest->image},
				       .memory_bytes = 256 * MIB,
				       .cpus = 2,
				       .accelerator = ACCELERATOR_TCG};
}

static void start_guest(struct guest *guest)
{
	g_autoptr(GError) error = NULL;

	if (!qemu_start(&guest->arg, &guest->qemu, &error))
		fail_msg("%s", error->message);
}

static void end_guest(struct guest *guest)
{
	qemu_kill(&guest->qemu);
	remove_tree(guest->dir);
	kernel_clear(&guest->kernel);
	g_free(guest->dir);
	g_free(guest->initramfs);
	g_free(guest->image);
}

/* Everything on the channel until the text has come, or until the guest's end where text is NULL. */
static char *hear(struct guest *guest, const char *text)
{
	double deadline = clock_monotonic_s() + BOOT_S;
	GString *heard = g_string_new(NULL);

	while (clock_monotonic_s() < deadline && (!text || !strstr(heard->str, text))) {
		struct pollfd fds[] = {{.fd = guest->qemu.channel_fd, .events = POLLIN},
				       {.fd = guest->qemu.console_fd, .events = POLLIN}};
		char buffer[4096];
		ssize_t got;

		poll(fds, G_N_ELEMENTS(fds), 100);
		qemu_poll(&guest->qemu);
		got = recv(guest->qemu.channel_fd, buffer, sizeof buffer, MSG_DONTWAIT);
		if (got > 0)
			g_string_append_len(heard, buffer, got);
		else if (!qemu_is_alive(&guest->qemu))
			break;
	}
	if ((text && !strstr(heard->str, text)) || (!text && qemu_is_alive(&guest->qemu))) {
		g_autofree char *tail = qemu_console_tail(&guest->qemu, 20);

		print_error("heard: %s\nconsole: %s\n", heard->str, tail);
		fail();
	}
	return g_string_free(heard, FALSE);
}

/* A guest reaches its init, reads and writes its disk, has the processors asked for, and its power-off ends qemu. */
static void test_boot(void **state)
{
	struct guest guest = {0};
	g_autofree char *heard = NULL, *rest = NULL, *tail = NULL, *data = NULL;
	double start;

	prepare_guest(&guest, *state);
	start = clock_monotonic_s();
	start_guest(&guest);
	g_free(hear(&guest, "hello\n"));
	print_message("%s: %.2f s to user space\n", (char *)*state, clock_monotonic_s() - start);
	heard = hear(&guest, "end\n");
	assert_null(strstr(heard, "cannot load"));
	assert_non_null(strstr(heard, "disk from the host\n"));
	assert_non_null(strstr(heard, "synced\n"));
	/* else no flush would come from it */
	assert_non_null(strstr(heard, "cache write back\n"));
	assert_non_null(strstr(heard, "cpus 2\n"));
	assert_true(g_file_get_contents(guest.image, &data, NULL, NULL));
	assert_memory_equal(data + 512, "written by guest", 16);
	tail = qemu_console_tail(&guest.qemu, 3);
	assert_non_null(strstr(tail, "red \\x01on the console"));
	assert_int_equal(write(guest.qemu.channel_fd, "off\n", 4), 4);
	rest = hear(&guest, NULL);
	assert_true(WIFEXITED(guest.qemu.status));
	assert_int_equal(WEXITSTATUS(guest.qemu.status), 0);
	end_guest(&guest);
}

/* A panic ends the guest, and the console's last lines tell of it. */
static void test_panic(void **state)
{
	struct guest guest = {0};
	g_autofree char *tail = NULL;

	prepare_guest(&guest, *state);
	start_guest(&guest);
	g_free(hear(&guest, "end\n"));
	assert_int_equal(write(guest.qemu.channel_fd, "panic\n", 6), 6);
	g_free(hear(&guest, NULL));
	/* while it lives it may have more to say */
	while (qemu_is_alive(&guest.qemu)) {
		qemu_poll(&guest.qemu);
		g_usleep(10000);
	}
	qemu_poll(&guest.qemu);
	tail = qemu_console_tail(&guest.qemu, 200);
	assert_non_null(strstr(tail, "Kernel panic"));
	end_guest(&guest);
}

/* The answer to which accelerator serves is one with which a guest then boots, and it is not looked for twice. Where
 * /dev/kvm cannot be opened, or guests hang with it, the answer is TCG, and why. */
static void test_accelerator(void **state)
{
	struct guest guest = {0};
	g_autoptr(GError) error = NULL;
	enum accelerator chosen, again;
	const char *why, *why_again;
	double start, needed;

	prepare_guest(&guest, *state);
	start = clock_monotonic_s();
	assert_true(qemu_choose_accelerator(&guest.arg, &chosen, &why, &error));
	needed = clock_monotonic_s() - start;
	print_message("%s in %.1f s: %s\n", chosen == ACCELERATOR_KVM ? "kvm" : "tcg", needed, why ? why : "a guest runs with it");
	assert_true(needed < 15);
	assert_int_equal(chosen == ACCELERATOR_KVM, why == NULL);
	start = clock_monotonic_s();
	assert_true(qemu_choose_accelerator(&guest.arg, &again, &why_again, &error));
	assert_true(clock_monotonic_s() - start < 0.1);
	assert_int_equal(again, chosen);
	assert_ptr_equal(why_again, why);
	guest.arg.accelerator = chosen;
	start_guest(&guest);
	g_free(hear(&guest, "hello\n"));
	end_guest(&guest);
}

/* Whether the process still runs; one that nobody has waited for yet does not. */
static gboolean is_running(GPid pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/stat", (int)pid), *stat = NULL;

	return g_file_get_contents(path, &stat, NULL, NULL) && !strstr(stat, ") Z ");
}

/* A guest ends with the process that started it, though that is killed and cannot say so. */
static void test_dies_with_us(void **state)
{
	struct guest guest = {0};
	GPid pid = 0;
	int ends[2];
	pid_t child;

	prepare_guest(&guest, *state);
	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (child == 0) {
		if (qemu_start(&guest.arg, &guest.qemu, NULL) && write(ends[1], &guest.qemu.pid, sizeof pid) == sizeof pid)
			pause();
		_exit(1);
	}
	assert_int_equal(read(ends[0], &pid, sizeof pid), sizeof pid);
	usleep(500000);
	assert_true(is_running(pid));
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	for (int i = 0; is_running(pid) && i < 100; i++)
		usleep(50000);
	assert_false(is_running(pid));
	close(ends[0]);
	close(ends[1]);
	guest.qemu = (struct qemu){.channel_fd = -1, .console_fd = -1};
	end_guest(&guest);
}

/* What qemu complains of is on the console of a guest that then is not alive. */
static void test_qemu_complains(void **state)
{
	struct guest guest = {0};
	g_autofree char *tail = NULL;

	prepare_guest(&guest, *state);
	guest.arg.kernel = "/no/such/kernel";
	start_guest(&guest);
	g_free(hear(&guest, NULL));
	qemu_poll(&guest.qemu);
	tail = qemu_console_tail(&guest.qemu, 1);
	assert_non_null(strstr(tail, "/no/such/kernel"));
	assert_false(WIFEXITED(guest.qemu.status) && WEXITSTATUS(guest.qemu.status) == 0);
	end_guest(&guest);
}

/* Without qemu the error names the Debian package that has it. */
static void test_no_qemu(void **state)
{
	g_autofree char *path = g_strdup(g_getenv("PATH"));
	const struct qemu_arg arg = {.kernel = "k", .initramfs = "i", .memory_bytes = MIB, .cpus = 1, .accelerator = ACCELERATOR_TCG};
	g_autoptr(GError) error = NULL;
	struct qemu qemu;

	g_setenv("PATH", "/nonexistent", TRUE);
	assert_false(qemu_start(&arg, &qemu, &error));
	g_setenv("PATH", path, TRUE);
	assert_non_null(strstr(error->message, "apt install qemu-system-x86"));
	qemu_kill(&qemu);
}

/* Lines for a message: escape sequences are gone, control characters are made visible, empty lines do not count; an
 * escape sequence that is cut off at the end ends it. */
static void test_console_tail(void **state)
{
	struct qemu qemu = {.console = g_string_new("one\r\n\033[2J\033[01;31mtwo\033[0m\r\n\r\n\033cthr\001ee \xff\r\n\033[1")};
	g_autofree char *two = qemu_console_tail(&qemu, 2), *all = qemu_console_tail(&qemu, 9);

	assert_string_equal(two, "two\nthr\\x01ee \\xff");
	assert_string_equal(all, "one\ntwo\nthr\\x01ee \\xff");
	g_string_free(qemu.console, TRUE);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_prestate(test_boot, (char[]){"6.1"}),
	    cmocka_unit_test_prestate(test_boot, (char[]){"6.12"}),
	    cmocka_unit_test_prestate(test_panic, (char[]){"6.1"}),
	    cmocka_unit_test_prestate(test_accelerator, (char[]){"6.1"}),
	    cmocka_unit_test_prestate(test_dies_with_us, (char[]){"6.1"}),
	    cmocka_unit_test_prestate(test_qemu_complains, (char[]){"6.1"}),
	    cmocka_unit_test(test_no_qemu),
	    cmocka_unit_test(test_console_tail),
	};
	g_autofree char *qemu = NULL, *kernel = NULL, *cache = NULL;
	int failed;

	/* the kernel names its first process so */
	if (getpid() == 1 && g_str_equal(argv[0], "/init"))
		return guest_main();
	qemu = g_find_program_in_path("qemu-system-x86_64");
	kernel = debian_image("6.1");
	if (!qemu || !kernel) {
		print_message("needs qemu-system-x86_64 and the kernels of tests/get-kernels\n");
		return EXIT_SKIPPED;
	}
	/* the user's cache is left alone */
	cache = g_dir_make_tmp("vmstat-bench.XXXXXX", NULL);
	g_setenv("XDG_CACHE_HOME", cache, TRUE);
	failed = cmocka_run_group_tests_name("qemu", tests, NULL, NULL);
	remove_tree(cache);
	return failed;
}
