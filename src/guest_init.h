#ifndef GUEST_INIT_H
#define GUEST_INIT_H

#include <glib.h>

/* This program as the first process of a virtual machine: /init of the initramfs that initramfs.h makes. */

#define GUEST_DISK "/dev/vda"      /* for the filesystem under test */
#define GUEST_SCRATCH "/scratch"   /* for the private directory of the runs */
#define GUEST_SWAP_DISK "/dev/vdb" /* for GUEST_SCRATCH, where the plan needs a swap file; else it lies in memory */
#define GUEST_CHANNEL "/dev/ttyS1"

/* Mounts what the kernel offers. */
gboolean guest_mount(GError **error);
/* Loads the modules and waits for the disks. */
gboolean guest_find_disks(gboolean has_swap_disk, GError **error);
/* The serial port to the machine that this one is on, as it is: no character has a meaning of its own. -1 on error. */
int guest_open_channel(GError **error);
/* A process that shows every few seconds that this machine still schedules processes. */
void guest_start_heartbeat(int fd);
/* Ends the machine. */
G_NORETURN void guest_power_off(void);

#endif
