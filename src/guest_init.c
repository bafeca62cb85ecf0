#include "guest_init.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/reboot.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#include "err.h"
#include "tool.h"

#define MODULES_ORDER "/modules/order" /* of initramfs.h */
#define DISK_TRIES 500                 /* 5 s: drivers look for their devices in the background */
#define DISK_PAUSE_US 10000
#define HEARTBEAT_S 5

gboolean guest_mount(GError **error)
{
	static const struct {
		const char *type, *where;
		unsigned long flags;
	} mounts[] = {
	    {"proc", "/proc", MS_NOSUID | MS_NODEV | MS_NOEXEC},
	    {"sysfs", "/sys", MS_NOSUID | MS_NODEV | MS_NOEXEC},
	    {"devtmpfs", "/dev", MS_NOSUID},
	    {"tmpfs", "/dev/shm", MS_NOSUID | MS_NODEV},
	    {"tmpfs", "/run", MS_NOSUID | MS_NODEV},
	    {"tmpfs", "/tmp", MS_NOSUID | MS_NODEV},
	};

	/* the kernel gives its first process next to nothing */
	g_setenv("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", TRUE);
	g_setenv("HOME", "/root", TRUE);
	umask(0022);
	for (gsize i = 0; i < G_N_ELEMENTS(mounts); i++) {
		mkdir(mounts[i].where, 0755);
		if (mount(mounts[i].type, mounts[i].where, mounts[i].type, mounts[i].flags, NULL) < 0 && errno != EBUSY)
			return err_errno(error, errno, "cannot mount '%s'", mounts[i].where);
	}
	return TRUE;
}

/* One that the kernel has already, or for hardware that is not there, is none the worse. */
static gboolean load_module(const char *path, GError **error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	gboolean ok = fd >= 0 && (syscall(SYS_finit_module, fd, "", 0) == 0 || errno == EEXIST || errno == ENODEV);
	int failure = errno;

	if (fd >= 0)
		close(fd);
	return ok || err_errno(error, failure, "cannot load the module '%s'", path);
}

static gboolean load_modules(GError **error)
{
	g_autofree char *order = NULL;
	g_auto(GStrv) paths = NULL;
	gboolean ok = TRUE;

	if (!g_file_get_contents(MODULES_ORDER, &order, NULL, NULL))
		return TRUE;
	paths = g_strsplit(order, "\n", -1);
	for (char **path = paths; ok && *path; path++)
		ok = !**path || load_module(*path, error);
	return ok;
}

static gboolean wait_for_disk(const char *disk, GError **error)
{
	for (guint i = 0; i < DISK_TRIES; i++) {
		if (access(disk, F_OK) == 0)
			return TRUE;
		g_usleep(DISK_PAUSE_US);
	}
	return err_runtime(error, "no disk '%s': has the kernel no driver for virtio disks?", disk);
}

/* The filesystem for the swap file: one in memory cannot hold it. */
static gboolean mount_scratch(GError **error)
{
	g_autofree char *program = tool_find("mkfs.ext4", "e2fsprogs", error);
	char *const argv[] = {program, (char[]){"-q"}, (char[]){"-F"}, (char[]){"-b"}, (char[]){"4096"}, (char[]){GUEST_SWAP_DISK}, NULL};

	return program && wait_for_disk(GUEST_SWAP_DISK, error) && tool_run(argv, AT_FDCWD, error) &&
	       (mount(GUEST_SWAP_DISK, GUEST_SCRATCH, "ext4", MS_NOSUID | MS_NODEV | MS_NOATIME, "noinit_itable") ==
		    0 ||
		err_errno(error, errno, "cannot mount '%s'", GUEST_SWAP_DISK));
}

gboolean guest_find_disks(gboolean has_swap_disk, GError **error)
{
	if (!load_modules(error) || !wait_for_disk(GUEST_DISK, error))
		return FALSE;
	if (mkdir(GUEST_SCRATCH, 0700) < 0 && errno != EEXIST)
		return err_errno(error, errno, "cannot make '%s'", GUEST_SCRATCH);
	return !has_swap_disk || mount_scratch(error);
}

int guest_open_channel(GError **error)
{
	int fd = open(GUEST_CHANNEL, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	struct termios settings;

	if (fd >= 0 && tcgetattr(fd, &settings) == 0) {
		cfmakeraw(&settings);
		settings.c_cflag |= CLOCAL | CREAD;
		cfsetspeed(&settings, B115200);
		/* blocking from here on: CLOCAL keeps it from waiting for a carrier */
		if (tcsetattr(fd, TCSANOW, &settings) == 0 && fcntl(fd, F_SETFL, O_RDWR) == 0)
			return fd;
	}
	err_errno(error, errno, "cannot open '%s'", GUEST_CHANNEL);
	if (fd >= 0)
		close(fd);
	return -1;
}

void guest_start_heartbeat(int fd)
{
	pid_t pid = fork();

	if (pid != 0)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (write(fd, "\n", 1) == 1)
		sleep(HEARTBEAT_S);
	_exit(0);
}

G_NORETURN void guest_power_off(void)
{
	/* the emulator was told to end where the machine would boot again: all have that, not all can power off */
	reboot(LINUX_REBOOT_CMD_RESTART);
	for (;;)
		pause();
}
