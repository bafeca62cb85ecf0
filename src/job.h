#ifndef JOB_H
#define JOB_H

#include <glib.h>

struct sitting_options;

/* Job files: what the command line can say, kept in a file.
 *
 *     [run]             options of run by their long names: repeat = 10
 *     [workload NAME]   one workload, with its options: size = 256M; a second one of that name: [workload NAME anything]
 *     [factors]         NAME = LEVEL,LEVEL...
 *     [set]             NAME = LEVEL
 *     [metrics]         NAME = UNIT[,higher|lower]:REGEX
 */

/* Fills in what options lack. Usage errors name file, line and reason; options may then only be cleared. */
gboolean job_read(const char *path, struct sitting_options *options, GError **error);

#endif
