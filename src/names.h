#ifndef NAMES_H
#define NAMES_H

#include <glib.h>

/* Lists of names: GPtrArray of const char * that the list does not own. */

void names_add(GPtrArray *names, const char *name);
/* As above where the list has no such name yet. */
void names_add_once(GPtrArray *names, const char *name);
/* Whether the list has the name; *at (NULL: not asked) is where. */
gboolean names_have(const GPtrArray *names, const char *name, guint *at);

/* "'a', 'b' and 3 more", for messages. */
char *names_quoted(const GPtrArray *names);
char *names_join(const GPtrArray *names, const char *separator);

#endif
