#ifndef INITRAMFS_TREE_H
#define INITRAMFS_TREE_H

#include <glib.h>
#include <stdio.h>
#include <sys/stat.h>

/* What is to be in an archive: paths, and where their contents come from. */

struct tree_node {
	mode_t mode;
	dev_t device;
	char *text;         /* a file's contents, or where a symlink leads; NULL: they are in source */
	char *source;       /* path of a file here */
	struct stat status; /* of source */
	gboolean is_module; /* source may be packed */
};

/* Path (absolute, canonical) -> struct tree_node, in the order of the paths: what is above comes first. */
GTree *initramfs_tree_new(void);

void initramfs_tree_directory(GTree *tree, const char *path, mode_t permissions);
void initramfs_tree_text(GTree *tree, const char *path, const char *text);
void initramfs_tree_symlink(GTree *tree, const char *path, const char *target);
void initramfs_tree_device(GTree *tree, const char *path, mode_t mode, dev_t device);
/* The contents of source, at another path. */
gboolean initramfs_tree_source(GTree *tree, const char *path, const char *source, gboolean is_module, GError **error);
/* The file or directory at that path here, and the directories and symlinks that lead to it. */
gboolean initramfs_tree_path(GTree *tree, const char *path, GError **error);
/* The libraries and the loader that the program in the ELF file needs. */
gboolean initramfs_tree_libraries(GTree *tree, const char *program, GError **error);

/* SHA-256 of all that the archive depends on: contents of sources stand for their size, inode and time of change. */
char *initramfs_tree_key(GTree *tree);
gboolean initramfs_tree_write(GTree *tree, FILE *file, GError **error);

#endif
