#ifndef IMPORT_FORMATS_H
#define IMPORT_FORMATS_H

#include "import.h"

/* The importers, for the table in import.c: one file import_<name>.c each. */
extern const struct importer import_runs;
extern const struct importer import_fio;
extern const struct importer import_hyperfine;
extern const struct importer import_pyperf;
extern const struct importer import_gobench;
extern const struct importer import_dd;
extern const struct importer import_interbench;
extern const struct importer import_iozone;
extern const struct importer import_bonnie;
extern const struct importer import_sysbench;
extern const struct importer import_stressng;
extern const struct importer import_ioping;
extern const struct importer import_cyclictest;
extern const struct importer import_log;
extern const struct importer import_table;

#endif
