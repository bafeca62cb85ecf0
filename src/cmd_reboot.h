#ifndef CMD_REBOOT_H
#define CMD_REBOOT_H

/* What run and resume do with plans that go on with reboots, and the state of all plans. Exit codes. */

/* resume --after-boot: what the unit starts. */
int cmd_after_boot(const char *store, char *const *argv);
/* run --cancel */
int cmd_cancel(const char *store);
/* resume --status; format: "text" or "json" */
int cmd_status(const char *store, const char *format);

#endif
