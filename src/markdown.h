#ifndef MARKDOWN_H
#define MARKDOWN_H

#include <glib.h>

/* Text of any origin as markdown that shows it as it is: control characters as text_printable() has them, and a
 * backslash before what GitHub and GitLab would take for markup.
 * source: GitHub Flavored Markdown 0.29, 6.1 (backslash escapes), 5.2 (list items), 4.10 (tables) */
char *markdown_escape(const char *text);
/* As above for the beginning of a line, where more is markup: "- ", "# ", "1. ". */
char *markdown_escape_line(const char *text);

#endif
