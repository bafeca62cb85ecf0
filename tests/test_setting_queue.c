#include "check.h"

#include "setting_case.h"

/* The settings of a disk's queue, on a loop device. Its schedulers are those that the kernel has: mq-deadline is
 * needed. */

static gboolean has_scheduler(struct setting_case *fixture, const char *name)
{
	g_autofree char *path = queue_file(fixture, "scheduler"), *text = NULL;

	return g_file_get_contents(path, &text, NULL, NULL) && strstr(text, name);
}

static int set_up_loop(void **state)
{
	struct setting_case *fixture;
	g_autofree char *scheduler = NULL, *nr_requests = NULL, *read_ahead = NULL;

	set_up(state);
	fixture = *state;
	scheduler = queue_file(fixture, "scheduler");
	nr_requests = queue_file(fixture, "nr_requests");
	read_ahead = queue_file(fixture, "read_ahead_kb");
	keep(fixture, nr_requests);
	keep(fixture, scheduler);
	keep(fixture, read_ahead);
	return has_scheduler(fixture, "mq-deadline") ? 0 : -1;
}

/* A level is what the file then says, and what was there returns. */
static void test_read_ahead(void **state)
{
	struct setting_case *fixture = *state;
	g_autofree char *path = queue_file(fixture, "read_ahead_kb");
	struct setting *setting;

	write_file(path, "512");
	setting = BEGIN(fixture, "queue:read_ahead_kb", ARG("0"), ARG("4096"));
	apply(fixture, setting, "4096");
	check_file(path, "4096");
	apply(fixture, setting, "0");
	check_file(path, "0");
	end_all(fixture, NULL);
	check_file(path, "512");
}

/* The disk is found from the directory of the runs where the place has no device of its own. */
static void test_disk_of_directory(void **state)
{
	struct setting_case *fixture = *state;
	g_autofree char *mount_point = g_build_filename(fixture->directory, "mnt", NULL);
	g_autofree char *path = queue_file(fixture, "read_ahead_kb");
	struct setting *setting;

	SPAWN(NULL, ARG("mkfs.ext4"), ARG("-q"), fixture->loop);
	g_mkdir(mount_point, 0700);
	SPAWN(NULL, ARG("mount"), fixture->loop, mount_point);
	write_file(path, "512");
	fixture->place.device = NULL;
	fixture->place.dirfd = open(mount_point, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	setting = BEGIN(fixture, "queue:read_ahead_kb", ARG("64"));
	close(fixture->place.dirfd);
	apply(fixture, setting, "64");
	check_file(path, "64");
	end_all(fixture, NULL);
	check_file(path, "512");
}

/* There is no queue where there is no disk. */
static void test_no_disk(void **state)
{
	struct setting_case *fixture = *state;

	fixture->place.device = NULL;
	fixture->place.dirfd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	check_begin_fails(fixture, "queue:scheduler", "none",
			  "setting 'queue:scheduler' is not available here: the runs take place on no disk");
	close(fixture->place.dirfd);
}

/* What the kernel rounds or cuts is an error that says so, and is taken back at once. */
static void test_did_not_take(void **state)
{
	struct setting_case *fixture = *state;
	g_autofree char *path = queue_file(fixture, "read_ahead_kb");
	struct setting *setting;

	write_file(path, "512");
	/* a whole number of pages */
	setting = BEGIN(fixture, "queue:read_ahead_kb", ARG("130"));
	check_apply_fails(fixture, setting, "130",
			  "setting 'queue:read_ahead_kb' did not take: asked for 130, the kernel made it 128");
	check_file(path, "512");
	end_all(fixture, NULL);
}

/* A scheduler that the kernel does not have is refused with the names of those that it has. */
static void test_unknown_scheduler(void **state)
{
	struct setting_case *fixture = *state;
	g_autofree char *path = queue_file(fixture, "scheduler"), *text = NULL, *why = NULL;
	struct setting *setting;

	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	text = g_strdelimit(text, "[]\n", ' ');
	setting = BEGIN(fixture, "queue:scheduler", ARG("elevator"));
	{
		g_autoptr(GError) error = NULL;
		g_auto(GStrv) names = g_strsplit(g_strstrip(text), " ", -1);

		assert_false(setting->kind->apply(setting, "elevator", &fixture->env, &error));
		assert_true(g_str_has_prefix(
		    error->message, "the kernel refuses 'elevator' for setting 'queue:scheduler', where there are "));
		for (char **name = names; *name; name++)
			assert_non_null(strstr(error->message, *name));
	}
	end_all(fixture, NULL);
}

/* Files that are not there or cannot be written are not available. */
static void test_not_available(void **state)
{
	struct setting_case *fixture = *state;
	const char *disk = fixture->loop + strlen("/dev/");
	g_autofree char *missing =
	    g_strdup_printf("setting 'queue:nosuch' is not available here: queue '%s/nosuch': No such "
			    "file or directory",
			    disk);
	g_autofree char *read_only = g_strdup_printf("setting 'queue:hw_sector_size' is not available here: queue "
						     "'%s/hw_sector_size': Permission denied",
						     disk);
	g_autofree char *other = g_strdup_printf("setting 'queue:iosched/low_latency' is not available here: queue "
						 "'%s/iosched/low_latency': No such file or directory",
						 disk);

	check_begin_fails(fixture, "queue:nosuch", "1", missing);
	check_begin_fails(fixture, "queue:hw_sector_size", "512", read_only);
	check_begin_fails(fixture, "queue:iosched/low_latency", "1", other);
}

/* A scheduler's own file is there only under it: with the scheduler set as well that is soon enough, and all that the
 * scheduler of before had returns with it, as do the requests that it may queue. */
static void test_scheduler_and_its_files(void **state)
{
	struct setting_case *fixture = *state;
	g_autofree char *scheduler = queue_file(fixture, "scheduler"),
			*expire = queue_file(fixture, "iosched/read_expire");
	g_autofree char *batch = queue_file(fixture, "iosched/fifo_batch"),
			*requests = queue_file(fixture, "nr_requests");
	struct setting *first, *second;

	write_file(scheduler, "none");
	first = BEGIN(fixture, "queue:scheduler", ARG("mq-deadline"), ARG("none"));
	second = BEGIN(fixture, "queue:iosched/read_expire", ARG("120"));
	apply(fixture, first, "mq-deadline");
	apply(fixture, second, "120");
	check_file(expire, "120");
	end_all(fixture, NULL);
	check_file(scheduler, "none");

	write_file(scheduler, "mq-deadline");
	write_file(requests, "64");
	write_file(expire, "460");
	write_file(batch, "7");
	g_ptr_array_set_size(fixture->settings, 0);
	setting_free(first);
	setting_free(second);
	first = BEGIN(fixture, "queue:scheduler", ARG("mq-deadline"), ARG("none"));
	second = BEGIN(fixture, "queue:nr_requests", ARG("32"));
	apply(fixture, first, "none");
	apply(fixture, second, "32");
	check_file(requests, "32");
	apply(fixture, first, "mq-deadline");
	apply(fixture, second, "32");
	end_all(fixture, NULL);
	check_file(scheduler, "mq-deadline");
	check_file(requests, "64");
	check_file(expire, "460");
	check_file(batch, "7");
}

/* All schedulers of the kernel go and return with their values. */
static void test_every_scheduler(void **state)
{
	static const char *const others[][2] = {{"kyber", "iosched/read_lat_nsec"}, {"bfq", "iosched/slice_idle_us"}};
	struct setting_case *fixture = *state;
	g_autofree char *scheduler = queue_file(fixture, "scheduler"), *requests = queue_file(fixture, "nr_requests");

	for (guint i = 0; i < G_N_ELEMENTS(others); i++) {
		g_autofree char *path = queue_file(fixture, others[i][1]);
		struct setting *setting;

		if (!has_scheduler(fixture, others[i][0]))
			continue;
		write_file(scheduler, others[i][0]);
		write_file(path, "7654");
		write_file(requests, "48");
		setting = BEGIN(fixture, "queue:scheduler", ARG("none"), ARG("mq-deadline"));
		apply(fixture, setting, "none");
		apply(fixture, setting, "mq-deadline");
		end_all(fixture, NULL);
		check_file(scheduler, others[i][0]);
		check_file(path, "7654");
		check_file(requests, "48");
	}
}

/* The requests that may be queued set mq-deadline's async_depth, which returns with them. */
static void test_requests_and_depth(void **state)
{
	struct setting_case *fixture = *state;
	g_autofree char *scheduler = queue_file(fixture, "scheduler"), *requests = queue_file(fixture, "nr_requests");
	g_autofree char *depth = queue_file(fixture, "iosched/async_depth"), *before = NULL;
	struct setting *first, *second;

	write_file(scheduler, "mq-deadline");
	before = read_file(requests);
	write_file(depth, "50");
	first = BEGIN(fixture, "queue:nr_requests", ARG("32"));
	second = BEGIN(fixture, "queue:iosched/async_depth", ARG("20"));
	apply(fixture, first, "32");
	apply(fixture, second, "20");
	end_all(fixture, NULL);
	check_file(requests, before);
	check_file(depth, "50");
}

/* Another scheduler is told, and that the files of the one that was are gone with it. */
static void test_changed(void **state)
{
	struct setting_case *fixture = *state;
	g_autofree char *path = queue_file(fixture, "scheduler"), *is = NULL, *gone = NULL;
	const char *disk = fixture->loop + strlen("/dev/");
	g_autofree char *want = g_strdup_printf("queue '%s/scheduler' was changed from mq-deadline to none", disk);
	g_autofree char *want_gone =
	    g_strdup_printf("queue '%s/iosched/read_expire' could no longer be read (No such file or directory)", disk);
	struct setting *scheduler, *expire;

	write_file(path, "none");
	scheduler = BEGIN(fixture, "queue:scheduler", ARG("mq-deadline"));
	expire = BEGIN(fixture, "queue:iosched/read_expire", ARG("120"));
	apply(fixture, scheduler, "mq-deadline");
	apply(fixture, expire, "120");
	assert_null(scheduler->kind->changed(scheduler));
	assert_null(expire->kind->changed(expire));
	write_file(path, "none");
	is = scheduler->kind->changed(scheduler);
	gone = expire->kind->changed(expire);
	assert_string_equal(is, want);
	assert_string_equal(gone, want_gone);
	end_all(fixture, NULL);
}

/* A scheduler that somebody else has chosen stays, and its values as well. */
static void test_others_scheduler(void **state)
{
	struct setting_case *fixture = *state;
	g_autofree char *scheduler = queue_file(fixture, "scheduler"), *path = queue_file(fixture, "nr_requests");
	g_autofree char *requests = NULL;
	g_autofree char *told =
	    g_strdup_printf("queue '%s/scheduler' is kyber, which is neither what it was (none) nor what was "
			    "set (mq-deadline): left alone",
			    fixture->loop + strlen("/dev/"));
	struct setting *setting;

	if (!has_scheduler(fixture, "kyber"))
		skip();
	write_file(scheduler, "none");
	setting = BEGIN(fixture, "queue:scheduler", ARG("mq-deadline"));
	apply(fixture, setting, "mq-deadline");
	write_file(scheduler, "kyber");
	requests = read_file(path);
	end_all(fixture, told);
	check_file(scheduler, "kyber");
	check_file(path, requests);
}

#define WITH_LOOP(test) cmocka_unit_test_setup_teardown(test, set_up_loop, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    WITH_LOOP(test_read_ahead),
	    WITH_LOOP(test_disk_of_directory),
	    WITH_LOOP(test_no_disk),
	    WITH_LOOP(test_did_not_take),
	    WITH_LOOP(test_unknown_scheduler),
	    WITH_LOOP(test_not_available),
	    WITH_LOOP(test_scheduler_and_its_files),
	    WITH_LOOP(test_every_scheduler),
	    WITH_LOOP(test_requests_and_depth),
	    WITH_LOOP(test_changed),
	    WITH_LOOP(test_others_scheduler),
	};
	int skipped = claim_machine();

	return skipped ? skipped : cmocka_run_group_tests_name("setting_queue", tests, NULL, NULL);
}
