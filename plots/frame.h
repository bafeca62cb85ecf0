#ifndef FRAME_H
#define FRAME_H

#include <glib.h>

struct picture;

/* A picture of panels below each other, each with a title, and notes at its foot. Begin it with the heights of all,
 * then for each panel: frame_panel(), the commands that set its axes, frame_plot(); then frame_end(). */
struct frame {
	struct picture *picture;
	guint left, right; /* margins of the panels, pixels */
	guint n_panels;
	guint height;           /* of all panels, pixels: frame_title_height() and the rest of each */
	const GPtrArray *notes; /* const char *: plain text, wrapped to the picture */
	const char *advice;     /* what to do where there is too much for a picture: "choose with --metric" */
	/* as it goes on */
	guint top;       /* of the next panel */
	guint extra;     /* that a slide gives to the height of each panel */
	GPtrArray *foot; /* char *: the lines of the notes */
};

guint frame_title_height(const struct picture *picture);
/* Numbers of the x axis, its label, and a distance from what follows. */
guint frame_axis_height(const struct picture *picture);

/* Usage errors: no panel, more than a picture holds. */
gboolean frame_begin(struct frame *frame, GError **error);
/* The place of the next panel: its title, so many pixels between that and the plot (for a legend), the plot's height,
 * without frame->extra, and what is below it. Returns where the first of these begins, in pixels from the top. */
guint frame_panel(struct frame *frame, const char *title, guint head, guint height, guint foot);
/* Plain text below the x axis, in its middle. */
void frame_x_label(struct frame *frame, const char *label);
/* Draws the plot elements; without one an empty panel. The notes stand in the last one. */
void frame_plot(struct frame *frame, const GString *elements);
void frame_end(struct frame *frame);

/* Caveats for people: "Caveat: <text> (<name>)." appended to notes (newly allocated) for each flag of the set, but
 * those that charts show in another way. */
void frame_add_caveats(GPtrArray *notes, guint64 flags);

#endif
