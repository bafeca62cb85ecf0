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
	FILE *channel, *in;
	int fd;

	mount("none", "/dev", "devtmpfs", 0, NULL);
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
	guest->arg = (struct qemu_arg){guest->kernel.image, guest->initramfs, guest->image, NULL, 256 * MIB, 2, ACCELERATOR_TCG};
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
		struct pollfd fds[] = {{.fd = guest->qemu.channel_fd, .events = POLLIN}};
		char buffer[4096];
		ssize_t got;

		poll(fds, 1, 100);
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
	qemu_poll(&guest.qemu);
	tail = qemu_console_tail(&guest.qemu, 40);
	assert_non_null(strstr(tail, "Kernel panic"));
	end_guest(&guest);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_prestate(test_boot, (char[]){"6.1"}),
	    cmocka_unit_test_prestate(test_boot, (char[]){"6.12"}),
	    cmocka_unit_test_prestate(test_panic, (char[]){"6.1"}),
	};
	g_autofree char *qemu = NULL, *kernel = NULL;

	if (getpid() == 1)
		return guest_main();
	qemu = g_find_program_in_path("qemu-system-x86_64");
	kernel = debian_image("6.1");
	if (!qemu || !kernel) {
		print_message("needs qemu-system-x86_64 and $VMSTAT_BENCH_KERNELS, a directory filled by tests/get-kernels\n");
		return EXIT_SKIPPED;
	}
	return cmocka_run_group_tests_name("qemu", tests, NULL, NULL);
}
