#ifndef SHUFFLE_H
#define SHUFFLE_H

#include <glib.h>

/* What comes at an index, below n, of the numbers from 0 to n - 1 in one of their random orders, which seed determines.
 * It is computed, not looked up: the order of the blocks of a file takes no memory, however large the file is. source:
 * a Feistel network, gone through again until its result is in range (Black and Rogaway 2002, "cycle walking") */
guint64 shuffle(guint64 index, guint64 n, guint64 seed);

#endif
