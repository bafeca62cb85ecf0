#ifndef TREE_H
#define TREE_H

#include <dirent.h>

/* Removing what is in a directory, following no symlink and crossing no mount, be it one of the same filesystem. */

/* A stream on a descriptor of its own, so that the caller's keeps its offset. NULL with errno. */
DIR *tree_open(int dirfd);

/* Removes all that is in the directory, which may be asked again and again. errno of the first failure, 0 where all went. */
int tree_empty(DIR *stream);

/* Removes the directory with all that is in it; 0 or errno. */
int tree_remove(int parent_fd, const char *name);

#endif
