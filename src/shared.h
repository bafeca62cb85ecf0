#ifndef SHARED_H
#define SHARED_H

#include <glib.h>

/* GLib's containers and some libraries take plain pointers: this makes one of a pointer to what is never written to
 * (static tables, interned strings, rows that another owns). */
static inline gpointer shared(const void *constant)
{
	union {
		const void *constant;
		gpointer plain;
	} pointer = {.constant = constant};

	return pointer.plain;
}

#endif
