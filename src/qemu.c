#include "qemu.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "err.h"
#include "exec.h"
#include "tool.h"
#include "unit.h"

#define CONSOLE_KEPT (64u << 10)
#define PROBE_S 10.0

/* A path within an option's value, where a comma ends it unless doubled. */
static char *escape_commas(const char *path)
{
	g_auto(GStrv) parts = g_strsplit(path, ",", -1);

	return g_strjoinv(",,", parts);
}

/* tmpfs, for one, has nothing to bypass. */
static gboolean can_bypass_cache(const char *image)
{
	int fd = open(image, O_RDWR | O_DIRECT | O_CLOEXEC);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static void add_option(GPtrArray *argv, const char *option, const char *format, ...) G_GNUC_PRINTF(3, 4);

static void add_option(GPtrArray *argv, const char *option, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_ptr_array_add(argv, g_strdup(option));
	g_ptr_array_add(argv, g_strdup_vprintf(format, args));
	va_end(args);
}

static void add_disk(GPtrArray *argv, guint number, const char *image)
{
	g_autofree char *path = escape_commas(image);

	add_option(argv, "-blockdev", "driver=raw,node-name=disk%u,cache.direct=%s,file.driver=file,file.filename=%s", number,
		   can_bypass_cache(image) ? "on" : "off", path);
	/* without room for the image the guest shall see an I/O error: by itself qemu would stop it */
	add_option(argv, "-device", "virtio-blk-pci,drive=disk%u,werror=report,rerror=report", number);
}

/* The guest's next serial port, on an inherited socket. */
static void add_serial(GPtrArray *argv, const char *id, int fd)
{
	add_option(argv, "-chardev", "socket,id=%s,fd=%d", id, fd);
	add_option(argv, "-serial", "chardev:%s", id);
}

static GPtrArray *make_argv(const char *program, const struct qemu_arg *arg, int console_fd, int channel_fd)
{
	static const char *const plain[] = {"-nodefaults", "-no-user-config", "-nographic", "-no-reboot"};
	gboolean is_kvm = arg->accelerator == ACCELERATOR_KVM;
	GPtrArray *argv = g_ptr_array_new_with_free_func(g_free);

	g_ptr_array_add(argv, g_strdup(program));
	for (guint i = 0; i < G_N_ELEMENTS(plain); i++)
		g_ptr_array_add(argv, g_strdup(plain[i]));
	add_option(argv, "-machine", "pc");
	/* one thread for all processors: with one each, qemu 7.2 now and then runs code that a kernel is just patching on
	 * another processor, and the kernel dies of a breakpoint (int3) */
	add_option(argv, "-accel", is_kvm ? "kvm" : "tcg,thread=single");
	add_option(argv, "-cpu", is_kvm ? "host" : "max");
	add_option(argv, "-smp", "%u", arg->cpus);
	add_option(argv, "-m", "%" G_GUINT64_FORMAT "k", arg->memory_bytes >> 10);
	add_option(argv, "-kernel", "%s", arg->kernel);
	add_option(argv, "-initrd", "%s", arg->initramfs);
	/* a panic reboots at once, which ends the guest; what is less than an error stays off the slow console; no time goes
	 * into testing ciphers and checksums */
	add_option(argv, "-append", "console=ttyS0 panic=-1 quiet cryptomgr.notests %s", arg->append ? arg->append : "");
	add_serial(argv, "console", console_fd);
	add_serial(argv, "channel", channel_fd);
	for (guint i = 0; i < G_N_ELEMENTS(arg->images) && arg->images[i]; i++)
		add_disk(argv, i, arg->images[i]);
	g_ptr_array_add(argv, NULL);
	return argv;
}

/* The child's half: its own group, dead when we die, complaints where the console is. */
static G_NORETURN void become_qemu(char *const *argv, int console_fd, int channel_fd, pid_t parent)
{
	int null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	sigset_t none;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	signal(SIGPIPE, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (null_fd >= 0 && dup2(null_fd, 0) >= 0 && dup2(console_fd, 1) >= 0 && dup2(console_fd, 2) >= 0 &&
	    fcntl(console_fd, F_SETFD, 0) == 0 && fcntl(channel_fd, F_SETFD, 0) == 0)
		execv(argv[0], argv);
	dprintf(2, "cannot execute '%s': %s\n", argv[0], g_strerror(errno));
	_exit(127);
}

/* ours, theirs: the ends of a stream. */
static gboolean make_ends(int *ours, int *theirs, GError **error)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return err_errno(error, errno, "cannot make a socket for a guest");
	*ours = ends[0];
	*theirs = ends[1];
	return TRUE;
}

gboolean qemu_start(const struct qemu_arg *arg, struct qemu *qemu, GError **error)
{
	g_autofree char *program = tool_find("qemu-system-x86_64", "qemu-system-x86", error);
	g_autoptr(GPtrArray) argv = NULL;
	int console = -1, channel = -1;
	pid_t parent = getpid(), pid = -1;

	*qemu = (struct qemu){.channel_fd = -1, .console_fd = -1, .console = g_string_new(NULL)};
	if (!program)
		return FALSE;
	if (make_ends(&qemu->console_fd, &console, error) && make_ends(&qemu->channel_fd, &channel, error)) {
		argv = make_argv(program, arg, console, channel);
		pid = fork();
		if (pid == 0)
			become_qemu((char *const *)argv->pdata, console, channel, parent);
		if (pid < 0)
			err_errno(error, errno, "cannot make a process for a guest");
	}
	if (console >= 0)
		close(console);
	if (channel >= 0)
		close(channel);
	if (pid < 0)
		return FALSE;
	/* the child does so too: whoever of us comes first */
	setpgid(pid, pid);
	qemu->pid = pid;
	return TRUE;
}

void qemu_poll(struct qemu *qemu)
{
	char buffer[65536];
	ssize_t got;

	while ((got = recv(qemu->console_fd, buffer, sizeof buffer, MSG_DONTWAIT)) > 0 || (got < 0 && errno == EINTR))
		if (got > 0) {
			g_string_append_len(qemu->console, buffer, got);
			if (qemu->console->len > CONSOLE_KEPT)
				g_string_erase(qemu->console, 0, (gssize)(qemu->console->len - CONSOLE_KEPT));
		}
}

static void reap(struct qemu *qemu, int options)
{
	pid_t got;

	do
		got = waitpid(qemu->pid, &qemu->status, options);
	while (got < 0 && errno == EINTR);
	if (got != 0)
		qemu->pid = 0;
}

gboolean qemu_is_alive(struct qemu *qemu)
{
	if (qemu->pid)
		reap(qemu, WNOHANG);
	return qemu->pid != 0;
}

void qemu_kill(struct qemu *qemu)
{
	if (qemu->pid) {
		kill(qemu->pid, SIGKILL);
		reap(qemu, 0);
	}
	if (qemu->console_fd >= 0)
		close(qemu->console_fd);
	if (qemu->channel_fd >= 0)
		close(qemu->channel_fd);
	if (qemu->console)
		g_string_free(qemu->console, TRUE);
	*qemu = (struct qemu){.status = qemu->status, .channel_fd = -1, .console_fd = -1};
}

/* Without what moves a cursor or clears a screen: ESC [ ... letter, ESC letter.
 * source: ECMA-48, 5.3 and 5.4 */
static char *strip_escapes(const char *text, gsize length)
{
	GString *plain = g_string_sized_new(length);

	for (gsize i = 0; i < length; i++) {
		if (text[i] == '\033') {
			if (i + 1 < length && text[++i] == '[')
				while (i + 1 < length && ((guchar)text[++i] < 0x40 || (guchar)text[i] > 0x7e))
					continue;
		} else if (text[i] != '\r' && text[i] != '\0') {
			g_string_append_c(plain, text[i]);
		}
	}
	return g_string_free(plain, FALSE);
}

char *qemu_console_tail(const struct qemu *qemu, guint lines)
{
	g_autofree char *plain = strip_escapes(qemu->console->str, qemu->console->len);
	g_auto(GStrv) all = g_strsplit(plain, "\n", -1);
	g_autoptr(GPtrArray) kept = g_ptr_array_new_with_free_func(g_free);
	guint count = g_strv_length(all);

	while (count > 0 && kept->len < lines) {
		char *line = g_strchomp(all[--count]);

		if (*line)
			g_ptr_array_insert(kept, 0, text_printable(line));
	}
	g_ptr_array_add(kept, NULL);
	return g_strjoinv("\n", (char **)kept->pdata);
}

/* Whether the guest's init says something in time; *why else. False with an error on a request to stop. */
static gboolean wait_for_init(struct qemu *qemu, char **why, GError **error)
{
	g_autofree char *complaint = NULL;
	double deadline = clock_monotonic_s() + PROBE_S;

	while (qemu_is_alive(qemu) && clock_monotonic_s() < deadline) {
		struct pollfd fds[] = {{.fd = qemu->channel_fd, .events = POLLIN}, {.fd = qemu->console_fd, .events = POLLIN}};
		char byte;

		if (exec_stop_signal())
			return err_runtime(error, "interrupted while it was tried whether guests run with KVM");
		poll(fds, G_N_ELEMENTS(fds), 100);
		qemu_poll(qemu);
		if (recv(qemu->channel_fd, &byte, 1, MSG_DONTWAIT) > 0)
			return TRUE;
	}
	qemu_poll(qemu);
	complaint = qemu_console_tail(qemu, 1);
	*why = qemu_is_alive(qemu) ? g_strdup_printf("a guest does not reach user space with KVM within %.0f s", PROBE_S)
				   : g_strdup_printf("a guest with KVM ends before it reaches user space: %s", complaint);
	return TRUE;
}

/* *why (newly allocated, or NULL) as of qemu_choose_accelerator(). */
static gboolean probe_kvm(const struct qemu_arg *arg, char **why, GError **error)
{
	int fd = open("/dev/kvm", O_RDWR | O_CLOEXEC);
	struct qemu_arg probe = *arg;
	struct qemu qemu;
	gboolean ok;

	if (fd < 0) {
		*why = g_strdup_printf("/dev/kvm cannot be opened: %s", g_strerror(errno));
		return TRUE;
	}
	close(fd);
	probe.images[0] = NULL;
	probe.accelerator = ACCELERATOR_KVM;
	ok = qemu_start(&probe, &qemu, error) && wait_for_init(&qemu, why, error);
	qemu_kill(&qemu);
	return ok;
}

gboolean qemu_choose_accelerator(const struct qemu_arg *arg, enum accelerator *accelerator, const char **why, GError **error)
{
	static gboolean is_known;
	static char *reason;

	if (!is_known && !probe_kvm(arg, &reason, error))
		return FALSE;
	is_known = TRUE;
	*why = reason;
	*accelerator = reason ? ACCELERATOR_TCG : ACCELERATOR_KVM;
	return TRUE;
}
