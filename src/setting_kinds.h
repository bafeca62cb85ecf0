#ifndef SETTING_KINDS_H
#define SETTING_KINDS_H

#include "setting.h"
#include "undo.h"

/* The rows of setting_table, */
extern const struct setting_kind setting_sysctl, setting_cpu, setting_cpus, setting_thp;
extern const struct setting_kind setting_queue_scheduler, setting_queue_nr_requests, setting_queue;
extern const struct setting_kind setting_fs, setting_swap, setting_mem;

/* and of undo_table. */
extern const struct undo_kind undo_sysctl, undo_cpu, undo_queue, undo_thp;
extern const struct undo_kind undo_swap, undo_cgroup, undo_directory;

#endif
