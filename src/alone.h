#ifndef ALONE_H
#define ALONE_H

#include <glib.h>

/* Benchmarks that run at the same time disturb each other. Claims this machine until the process ends, by the name of a
 * socket that leaves nothing behind; FALSE where another process holds it. */
gboolean alone_claim(void);

#endif
