#ifndef TEAM_H
#define TEAM_H

#include <glib.h>

/* Threads that begin their work at the same moment. */
struct team;

/* Starts n threads, each of which will call body with its member of an array, and returns when all of them wait. On an
 * error those that were started are gone. */
struct team *team_new(void (*body)(void *member), void *members, gsize member_size, guint n, GError **error);

/* Lets them go, once, and waits for all of them; returns when they went, in seconds of the monotonic clock. */
double team_run(struct team *team);

/* Threads that still wait end without having called body. NULL: nothing to do. */
void team_free(struct team *team);

#endif
