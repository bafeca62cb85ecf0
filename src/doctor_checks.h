#ifndef DOCTOR_CHECKS_H
#define DOCTOR_CHECKS_H

#include <glib.h>

struct doctor;
struct finding;

/* The rows of check_table. */

void check_cpus(const struct doctor *doctor, struct finding *finding);
void check_governor(const struct doctor *doctor, struct finding *finding);
void check_turbo(const struct doctor *doctor, struct finding *finding);
void check_smt(const struct doctor *doctor, struct finding *finding);
void check_numa(const struct doctor *doctor, struct finding *finding);
void check_throttling(const struct doctor *doctor, struct finding *finding);
void check_mitigations(const struct doctor *doctor, struct finding *finding);
void check_clock(const struct doctor *doctor, struct finding *finding);

void check_virtual(const struct doctor *doctor, struct finding *finding);
void check_container(const struct doctor *doctor, struct finding *finding);
void check_limits(const struct doctor *doctor, struct finding *finding);
void check_battery(const struct doctor *doctor, struct finding *finding);
void check_kernel(const struct doctor *doctor, struct finding *finding);

void check_steal(const struct doctor *doctor, struct finding *finding);
void check_load(const struct doctor *doctor, struct finding *finding);
void check_busy(const struct doctor *doctor, struct finding *finding);
void check_pressure(const struct doctor *doctor, struct finding *finding);
void check_alone(const struct doctor *doctor, struct finding *finding);

void check_upkeep(const struct doctor *doctor, struct finding *finding);
void check_rebuild(const struct doctor *doctor, struct finding *finding);
void check_timers(const struct doctor *doctor, struct finding *finding);
void check_cron(const struct doctor *doctor, struct finding *finding);

void check_memory(const struct doctor *doctor, struct finding *finding);
void check_swap(const struct doctor *doctor, struct finding *finding);
void check_zram(const struct doctor *doctor, struct finding *finding);
void check_swappiness(const struct doctor *doctor, struct finding *finding);
void check_hugepages(const struct doctor *doctor, struct finding *finding);
void check_dirty(const struct doctor *doctor, struct finding *finding);

void check_space(const struct doctor *doctor, struct finding *finding);
void check_filesystem(const struct doctor *doctor, struct finding *finding);
void check_mount(const struct doctor *doctor, struct finding *finding);
void check_layers(const struct doctor *doctor, struct finding *finding);
void check_disk(const struct doctor *doctor, struct finding *finding);

void check_privileges(const struct doctor *doctor, struct finding *finding);
void check_tools(const struct doctor *doctor, struct finding *finding);

/* The finding of check_timers from what systemctl printed, seen at now_us: microseconds since 1970. */
void judge_timers(const char *json, gint64 now_us, struct finding *finding);

/* Whether something says that this is a virtual machine. */
gboolean doctor_is_virtual(const struct doctor *doctor);

#endif
