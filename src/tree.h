#ifndef TREE_H
#define TREE_H

#include <dirent.h>

/* Removing what is in a directory, following no symlink and crossing no mount, be it one of the same filesystem. */

/* A stream on a descriptor of its own, so that the caller's keeps its offset. NULL with errno. */
DIR *tree_open(int dirfd);

/* Removes all that is in the directory, and may be asked again and again. errno of the first failure (EBUSY: something
 * is mounted in there), 0 where all went. */
int tree_empty(DIR *stream);

#endif
