#ifndef SVG_INLINE_H
#define SVG_INLINE_H

/* gnuplot's SVG document as an element for a page of HTML: without prolog, each id and reference to one beginning with
 * id and '-', and with the title. Newly allocated. */
char *svg_inline(const char *document, const char *id, const char *title);

#endif
