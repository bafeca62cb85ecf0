#ifndef FILTER_H
#define FILTER_H

#include <glib.h>

struct operands;

/* Applies NAME=LEVEL operands (char *) to the rows and groups of loaded operands, as operand.h says. */
gboolean filters_apply(struct operands *operands, const GPtrArray *filters, GError **error);

#endif
