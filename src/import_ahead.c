#include "import_ahead.h"

#include <sys/stat.h>

#include "dataset.h"
#include "import.h"

#define LARGE (1 << 20) /* bytes: they take some milliseconds, a thread a hundredth of one */

struct job {
	char *path;
	GThread *thread; /* NULL: joined */
	struct dataset *dataset;
	GError *error;
};

struct import_ahead {
	GPtrArray *jobs; /* struct job * */
};

static void job_finish(struct job *job)
{
	if (job->thread)
		g_thread_join(g_steal_pointer(&job->thread));
}

static void job_free(struct job *job)
{
	job_finish(job);
	dataset_free(job->dataset);
	g_clear_error(&job->error);
	g_free(job->path);
	g_free(job);
}

static gpointer read_file(gpointer data)
{
	struct job *job = data;

	job->dataset = import_file(job->path, &job->error);
	return NULL;
}

static gboolean is_large(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size >= LARGE;
}

static struct job *job_of(const struct import_ahead *ahead, const char *path)
{
	for (guint i = 0; i < ahead->jobs->len; i++) {
		struct job *job = g_ptr_array_index(ahead->jobs, i);

		if (g_str_equal(job->path, path))
			return job;
	}
	return NULL;
}

struct import_ahead *import_ahead_new(char *const *paths)
{
	struct import_ahead *ahead = g_new(struct import_ahead, 1);
	guint max = g_get_num_processors();

	ahead->jobs = g_ptr_array_new_with_free_func((GDestroyNotify)job_free);
	for (; *paths && ahead->jobs->len < max; paths++) {
		struct job *job;

		if (!is_large(*paths) || job_of(ahead, *paths))
			continue;
		job = g_new0(struct job, 1);
		job->path = g_strdup(*paths);
		g_ptr_array_add(ahead->jobs, job);
	}
	if (ahead->jobs->len < 2)
		g_ptr_array_set_size(ahead->jobs, 0);
	for (guint i = 0; i < ahead->jobs->len; i++) {
		struct job *job = g_ptr_array_index(ahead->jobs, i);

		job->thread = g_thread_try_new("import", read_file, job, NULL);
	}
	return ahead;
}

void import_ahead_free(struct import_ahead *ahead)
{
	g_ptr_array_unref(ahead->jobs);
	g_free(ahead);
}

struct dataset *import_ahead_take(struct import_ahead *ahead, const char *path, GError **error)
{
	struct job *job = job_of(ahead, path);

	if (!job || !job->thread)
		return import_file(path, error);
	job_finish(job);
	if (job->error)
		g_propagate_error(error, g_steal_pointer(&job->error));
	return g_steal_pointer(&job->dataset);
}
