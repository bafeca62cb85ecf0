#ifndef IMPORT_FORMATS_H
#define IMPORT_FORMATS_H

#include "import.h"

/* The importers, for the table in import.c: one file import_<name>.c each. */
extern const struct importer import_table;

#endif
