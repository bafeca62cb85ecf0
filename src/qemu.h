#ifndef QEMU_H
#define QEMU_H

#include <glib.h>

/* A virtual machine that boots a given kernel: qemu-system-x86_64 in a process group of its own, which ends with this
 * process, however that ends. */

enum accelerator { ACCELERATOR_KVM, ACCELERATOR_TCG };

struct qemu_arg {
	const char *kernel, *initramfs; /* paths */
	const char *image;  /* path of a raw file, the guest's disk /dev/vda; NULL: none */
	const char *append; /* more for the kernel's command line; NULL: nothing */
	guint64 memory_bytes;
	guint cpus;
	enum accelerator accelerator;
};

struct qemu {
	GPid pid;         /* 0: it has ended, and nobody needs to wait for it */
	int status;       /* then: of waitpid() */
	int channel_fd;   /* a socket, the other end of which is the guest's /dev/ttyS1; blocking */
	int console_fd;   /* the same of /dev/ttyS0, with what qemu itself complains of; read by qemu_poll() */
	GString *console; /* the last 64 KiB of it at most */
};

/* Starts a guest. The disk is not cached by this machine where its filesystem allows (cache.direct), so that what a guest
 * reads comes from the disk; a flush in the guest is an fdatasync() of the image, and a discard does nothing.
 * A kernel that panics ends its guest, and so does one that reboots. Errors, as what qemu complains of, may also come
 * later: qemu_is_alive() then is false. qemu_kill() is allowed after a failure. */
gboolean qemu_start(const struct qemu_arg *arg, struct qemu *qemu, GError **error);

/* Takes what is on the console now. The guest waits where nobody does. */
void qemu_poll(struct qemu *qemu);

gboolean qemu_is_alive(struct qemu *qemu);

/* Ends it, at once, if it still lives; closes the descriptors and frees the console. */
void qemu_kill(struct qemu *qemu);

/* The last lines of the console (newly allocated), for a message: without escape sequences, control characters made
 * visible. "" where nothing has come. */
char *qemu_console_tail(const struct qemu *qemu, guint lines);

/* KVM, where it can be used and a guest like that one, without its disk, reaches user space with it, which the guest's
 * init is to show by writing to the channel; TCG elsewhere. *why: NULL, or why not KVM (static text). It is tried once;
 * later calls repeat the answer. An error only where qemu is not there at all, or a request to stop (exec.h) came. */
gboolean qemu_choose_accelerator(const struct qemu_arg *arg, enum accelerator *accelerator, const char **why, GError **error);

#endif
