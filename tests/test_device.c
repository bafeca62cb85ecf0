#include "test_workload.h"

#include <sys/sysmacros.h>

/* Whether the bytes of a run have reached the device when its timed window ends. "--measure" measures once, prints what
 * it saw and exits with one of enum coverage; the build without the final sync (nosync.c) is asked that way. */
enum coverage { COVERED, MISSING, FAILED };

#define BYTES ((guint64)128 << 20)
#define SECTOR 512
#define COVERED_MIN 0.98
/* Other processes may write as much to the device in the same moment and hide that ours is missing. */
#define ATTEMPTS 5

/* The whole disk under the directory, as "vda"; NULL where there is none, as on tmpfs, btrfs or overlay. */
static char *find_disk(int dirfd)
{
	struct stat status;
	g_autofree char *link = NULL, *device = NULL, *partition = NULL, *above = NULL;
	char *real;

	if (fstat(dirfd, &status) < 0 || major(status.st_dev) == 0)
		return NULL;
	link = g_strdup_printf("/sys/dev/block/%u:%u", major(status.st_dev), minor(status.st_dev));
	real = realpath(link, NULL);
	device = g_strdup(real);
	free(real);
	if (!device)
		return NULL;
	partition = g_build_filename(device, "partition", NULL);
	if (access(partition, F_OK) < 0)
		return g_path_get_basename(device);
	above = g_path_get_dirname(device);
	return g_path_get_basename(above);
}

static gboolean disk_is_counted(const char *disk)
{
	g_autofree char *path = g_strdup_printf("/sys/block/%s/queue/iostats", disk), *text = NULL;

	return g_file_get_contents(path, &text, NULL, NULL) && *text != '0';
}

/* Sectors written to the disk since boot: the tenth column of its line in /proc/diskstats. */
static gboolean sectors_written(const char *disk, guint64 *sectors)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents("/proc/diskstats", &text, NULL, NULL))
		return FALSE;
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++) {
		char name[64];

		if (sscanf(*line, " %*u %*u %63s %*u %*u %*u %*u %*u %*u %" G_GUINT64_FORMAT, name, sectors) == 2 &&
		    strcmp(name, disk) == 0)
			return TRUE;
	}
	return FALSE;
}

/* Bytes that the device took between the beginning and the end of the timed window of a run that writes BYTES. */
static enum coverage measure_in(int dirfd, guint64 *device_bytes)
{
	g_autofree char *spec = g_strdup_printf("dd1:size=%" G_GUINT64_FORMAT, BYTES);
	struct workload_config *config = parse_spec(spec);
	double values[VALUES_MAX];
	struct workload_env env = {.config = config, .dirfd = dirfd, .nonce = NONCE, .values = values};
	g_autofree char *disk = find_disk(dirfd);
	g_autoptr(GError) error = NULL;
	guint64 before = 0, after = 0;
	gboolean ok;

	/* what was dirty before must not be counted as ours */
	ok = disk && syncfs(dirfd) == 0 && config->workload->set_up(&env, &error) && sectors_written(disk, &before) &&
	     config->workload->run(&env, &error) && sectors_written(disk, &after);
	if (error)
		print_error("%s\n", error->message);
	workload_config_free(config);
	*device_bytes = (after - before) * SECTOR;
	return !ok ? FAILED : (double)*device_bytes >= COVERED_MIN * (double)BYTES ? COVERED : MISSING;
}

static enum coverage measure(guint64 *device_bytes)
{
	struct scratch scratch;
	enum coverage coverage;

	if (!scratch_open(".", &scratch, NULL))
		return FAILED;
	coverage = measure_in(scratch.fd, device_bytes);
	return scratch_remove(&scratch, NULL) ? coverage : FAILED;
}

/* The sectors that the disk wrote between start and end of the timed window are at least 98% of the bytes. */
static void test_bytes_reach_the_device_in_the_window(void **state)
{
	guint64 device_bytes = 0;
	enum coverage coverage = measure(&device_bytes);

	if (coverage == MISSING)
		print_error("of %" G_GUINT64_FORMAT " bytes the device took %" G_GUINT64_FORMAT "\n", BYTES,
			    device_bytes);
	assert_int_equal(coverage, COVERED);
}

/* The same measurement by the build whose fdatasync() does nothing finds bytes missing: the check above can
 * fail. */
static void test_without_the_sync_they_do_not(void **state)
{
	g_autofree char *self = g_file_read_link("/proc/self/exe", NULL), *folder = NULL, *other = NULL;
	enum coverage coverage = FAILED;

	assert_non_null(self);
	folder = g_path_get_dirname(self);
	other = g_build_filename(folder, "nosync_device", NULL);
	for (int attempt = 0; coverage != MISSING && attempt < ATTEMPTS; attempt++) {
		char *argv[] = {other, (char[]){"--measure"}, NULL};
		int status;

		assert_true(g_spawn_sync(NULL, argv, NULL, 0, NULL, NULL, NULL, NULL, &status, NULL));
		assert_true(WIFEXITED(status));
		coverage = WEXITSTATUS(status);
		assert_true(coverage == MISSING || coverage == COVERED);
	}
	assert_int_equal(coverage, MISSING);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_bytes_reach_the_device_in_the_window),
	    cmocka_unit_test(test_without_the_sync_they_do_not),
	};
	int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	g_autofree char *disk = find_disk(here);
	guint64 device_bytes = 0;
	enum coverage coverage;

	close(here);
	if (!disk || !disk_is_counted(disk)) {
		print_message("the current directory lies on no disk whose sectors are counted\n");
		return EXIT_SKIPPED;
	}
	if (argc < 2)
		return cmocka_run_group_tests(tests, NULL, NULL);
	coverage = measure(&device_bytes);
	print_message("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " bytes\n", device_bytes, BYTES);
	return coverage;
}
