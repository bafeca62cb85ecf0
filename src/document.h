#ifndef DOCUMENT_H
#define DOCUMENT_H

#include <glib.h>

struct table;

/* Where a report goes: its sentences, tables and caveats, as text for a terminal or as markdown. All zero but out is
 * plain text. */
struct document {
	GString *out;
	guint width;         /* of tables of text; 0: DOCUMENT_COLUMNS */
	gboolean has_colour; /* verdicts stand out */
	gboolean is_verbose; /* reports say why */
	gboolean is_markdown;
	/* of document.c: what comes next in markdown */
	int last;
	guint n_caveats;
	GString *caveats;
};

#define DOCUMENT_COLUMNS 80

/* A document on standard output: as wide as its terminal (or $COLUMNS) if that is wider than 80 columns, in colour unless
 * NO_COLOR is set or TERM is dumb; plain, where it is no terminal. */
void document_of_terminal(struct document *to, GString *out);

/* Text of any origin: it is made printable, or escaped. */

/* A heading, or the terms that a report ends with. */
void document_paragraph(struct document *to, const char *text);
/* A sentence of the answer: an item of a list in markdown. */
void document_say(struct document *to, const char *text);
/* What belongs to the sentence before. */
void document_detail(struct document *to, const char *text);
/* A caveat, indented in text. In markdown they come in the end, folded where there are many, and after the subject, which
 * may be "". */
void document_caveat(struct document *to, const char *subject, guint indent, const char *text);
void document_table(struct document *to, const struct table *table);
/* An empty line in text. */
void document_gap(struct document *to);
/* Prints the caveats of markdown. */
void document_end(struct document *to);

#endif
