#include "observe_case.h"

#include "../src/flag.h"
#include "../src/observe_internal.h"

#define UNPRIVILEGED 65534

static struct observation empty_observation(void)
{
	return (struct observation){.messages = g_ptr_array_new_with_free_func(g_free)};
}

/* Messages as Linux writes them, taken from its sources and from reports, and what is to be made of them. */
static const struct {
	const char *text, *disturbance; /* NULL: none */
	gboolean matters, throttled;
} messages[] = {
    {"I/O error, dev vda, sector 2048 op 0x1:(WRITE) flags 0x800 phys_seg 1 prio class 2", "I/O error on vda", TRUE,
     FALSE},
    {"blk_update_request: I/O error, dev sda, sector 123 op 0x0:(READ) flags 0x0 phys_seg 1 prio class 0",
     "I/O error on sda", TRUE, FALSE},
    {"end_request: I/O error, dev sdb, sector 54366448", "I/O error on sdb", TRUE, FALSE},
    {"critical medium error, dev sdc, sector 1234 op 0x0:(READ) flags 0x80700 phys_seg 1 prio class 2",
     "I/O error on sdc", TRUE, FALSE},
    {"operation not supported error, dev loop0, sector 8 op 0x9:(WRITE_ZEROES) flags 0x400 phys_seg 0 prio class 0",
     NULL, FALSE, FALSE},
    {"Buffer I/O error on dev dm-0, logical block 59392, lost async page write", "I/O error on dm-0", TRUE, FALSE},
    {"Buffer I/O error on device md0, logical block 7", "I/O error on md0", TRUE, FALSE},
    {"nvme nvme0: I/O 12 QID 3 timeout, aborting", "I/O timeout of nvme0", TRUE, FALSE},
    {"nvme nvme1: I/O tag 640 (7280) opcode 0x1 (I/O Cmd) QID 2 timeout, reset controller", "I/O timeout of nvme1",
     TRUE, FALSE},
    {"nvme nvme0: 2/0/0 default/read/poll queues", NULL, FALSE, FALSE},
    {"EXT4-fs error (device nvme0n1p2): ext4_journal_check_start:61: Detected aborted journal",
     "filesystem error on nvme0n1p2", TRUE, FALSE},
    {"EXT4-fs error (device sdb1) in ext4_reserve_inode_write: Journal has aborted", "filesystem error on sdb1", TRUE,
     FALSE},
    {"EXT4-fs (vda): mounted filesystem 00000000-0000-0000-0000-000000000000 r/w with ordered data mode.", NULL, FALSE,
     FALSE},
    {"JBD2: Detected IO errors while flushing file data on sdb1-8", "I/O error on sdb1-8", TRUE, FALSE},
    {"XFS (sdb1): log I/O error -5", "filesystem error on sdb1", TRUE, FALSE},
    {"XFS (dm-1): Corruption of in-memory data detected.  Shutting down filesystem", "filesystem error on dm-1", TRUE,
     FALSE},
    {"XFS (sda1): Mounting V5 Filesystem", NULL, FALSE, FALSE},
    {"XFS (sda1): Ending clean mount", NULL, FALSE, FALSE},
    {"BTRFS error (device dm-0): block=172703744 write time tree block corruption detected", "filesystem error on dm-0",
     TRUE, FALSE},
    {"BTRFS: error (device dm-2: state A) in find_free_extent_update_loop:4122: errno=-22 unknown",
     "filesystem error on dm-2", TRUE, FALSE},
    {"BTRFS critical (device dm-160): corrupt leaf: block=28653215744 slot=3", "filesystem error on dm-160", TRUE,
     FALSE},
    {"BTRFS info (device loop0): using free-space-tree", NULL, FALSE, FALSE},
    {"INFO: task jbd2/vda1-8:181 blocked for more than 120 seconds.", "task jbd2/vda1-8 hung", TRUE, FALSE},
    {"INFO: task kworker/u8:2:77 blocked in I/O wait for more than 122 seconds.", "task kworker/u8:2 hung", TRUE,
     FALSE},
    {"watchdog: BUG: soft lockup - CPU#1 stuck for 22s! [dd:1234]", "CPU 1 hung", TRUE, FALSE},
    {"mce: [Hardware Error]: Machine check events logged", "hardware error", TRUE, FALSE},
    {"mce: CPU0: Thermal monitoring enabled (TM1)", NULL, FALSE, FALSE},
    {"CPU3: Core temperature above threshold, cpu clock throttled (total events = 17)", NULL, TRUE, TRUE},
    {"CPU0: Package temperature is above threshold, cpu clock is throttled (total events = 1)", NULL, TRUE, TRUE},
    {"CPU0: Core temperature/speed normal", NULL, FALSE, FALSE},
    {"Out of memory: Killed process 224 (qsbench) total-vm:262144kB, anon-rss:0kB, file-rss:0kB, shmem-rss:0kB, UID:0",
     NULL, TRUE, FALSE},
    {"Memory cgroup out of memory: Killed process 4711 (mtest) total-vm:524288kB, anon-rss:262144kB", NULL, TRUE,
     FALSE},
    {"vmstat-bench (5553): drop_caches: 3", NULL, FALSE, FALSE},
    {"loop0: detected capacity change from 0 to 1048576", NULL, FALSE, FALSE},
    {"", NULL, FALSE, FALSE},
};

/* Errors disturb the run, heat flags it, an OOM kill is only told, and what is usual is not. */
static void test_messages(void **state)
{
	struct kernel_log *log = kernel_log_new();

	for (gsize i = 0; i < G_N_ELEMENTS(messages); i++) {
		struct observation observation = empty_observation();

		kernel_log_judge(log, messages[i].text, &observation);
		if (observation.messages->len != (messages[i].matters ? 1 : 0) ||
		    g_strcmp0(observation.disturbance, messages[i].disturbance) != 0 ||
		    observation.flags != (messages[i].throttled ? FLAG_THROTTLED : 0))
			fail_msg("%s: %s", messages[i].text, observation.disturbance);
		if (messages[i].matters)
			assert_string_equal(observation.messages->pdata[0], messages[i].text);
		observation_clear(&observation);
	}
	kernel_log_free(log);
}

/* Of a flood 100 are kept, and the first says why. */
static void test_flood(void **state)
{
	struct kernel_log *log = kernel_log_new();
	struct observation observation = empty_observation();

	for (int i = 0; i < 300; i++) {
		g_autofree char *text = g_strdup_printf("I/O error, dev sd%c, sector %d", 'a' + i % 26, i);

		kernel_log_judge(log, text, &observation);
	}
	assert_int_equal(observation.messages->len, 100);
	assert_string_equal(observation.disturbance, "I/O error on sda");
	observation_clear(&observation);
	kernel_log_free(log);
}

static gboolean has_message(const struct observation *observation, const char *part)
{
	for (guint i = 0; i < observation->messages->len; i++)
		if (strstr(observation->messages->pdata[i], part))
			return TRUE;
	return FALSE;
}

static gboolean write_kmsg(const char *text)
{
	/* without the line end the kernel would wait for more of the line */
	g_autofree char *line = g_strconcat(text, "\n", NULL);
	int fd = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);
	gboolean ok = fd >= 0 && write(fd, line, strlen(line)) == (ssize_t)strlen(line);

	if (fd >= 0)
		close(fd);
	return ok;
}

/* Messages that come between begin and end are seen, at a tick or at the end, and as they are; those from before are
 * not. */
static void test_new_messages(void **state)
{
	g_autofree char *old = g_strdup_printf("<3>Buffer I/O error on dev test-old, process %d", getpid());
	g_autofree char *at_tick =
	    g_strdup_printf("<3>Buffer I/O error on dev test-tick, process %d \\ \xc3\xa4", getpid());
	g_autofree char *at_end = g_strdup_printf("<4>CPU0: Core temperature above threshold, process %d", getpid());
	g_autofree char *seen =
	    g_strdup_printf("Buffer I/O error on dev test-tick, process %d \\x5c \\xc3\\xa4", getpid());
	struct observation observation;

	assert_true(write_kmsg(old));
	observer_begin(observer, proc_fd, FALSE);
	assert_true(write_kmsg(at_tick));
	observer_tick(observer);
	assert_true(write_kmsg(at_end));
	observer_end(observer, 0, &observation);
	assert_false(has_message(&observation, old + 3));
	assert_true(has_message(&observation, seen));
	assert_true(has_message(&observation, at_end + 3));
	assert_true(observation.flags & FLAG_THROTTLED);
	assert_non_null(observation.disturbance);
	observation_clear(&observation);
	observer_begin(observer, proc_fd, FALSE);
	observer_end(observer, 0, &observation);
	assert_false(has_message(&observation, seen));
	observation_clear(&observation);
}

/* A disk that fails: a loop device whose file was cut off behind its back. */
static void test_failing_disk(void **state)
{
	g_autofree char *image = make_image(*state, "image"), *device = NULL, *want = NULL;
	int fd;
	struct observation observation;
	void *block = aligned_alloc(4096, 4096);

	SPAWN(&device, ARG("losetup"), ARG("-f"), ARG("--show"), image);
	g_strchomp(device);
	want = g_strdup_printf("I/O error, dev %s, sector 0", device + strlen("/dev/"));
	observer_begin(observer, proc_fd, FALSE);
	assert_int_equal(truncate(image, 0), 0);
	fd = open(device, O_RDONLY | O_DIRECT | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(read(fd, block, 4096), -1);
	close(fd);
	observer_end(observer, 0, &observation);
	SPAWN(NULL, ARG("losetup"), ARG("-d"), device);
	assert_true(has_message(&observation, want));
	assert_true(observation.disturbance && g_str_has_prefix(observation.disturbance, "I/O error on "));
	observation_clear(&observation);
	free(block);
}

/* Who may not read the kernel's messages sees none, and all else. */
static void test_unprivileged(void **state)
{
	pid_t pid = fork();

	if (pid == 0) {
		struct observation observation;

		observer_free(observer);
		if (setresuid(UNPRIVILEGED, UNPRIVILEGED, UNPRIVILEGED) < 0)
			_exit(1);
		observer = observer_new();
		observer_begin(observer, proc_fd, FALSE);
		observer_tick(observer);
		observer_end(observer, 0, &observation);
		if (observation.messages->len > 0 || observation.disturbance || observation.series.at_s->len != 1 ||
		    isnan(measured(&observation, "free_before")) || isnan(measured(&observation, "kworkers")))
			_exit(2);
		observation_clear(&observation);
		_exit(0);
	}
	wait_for(pid);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    observe_test(test_messages),     observe_test(test_flood),        observe_test(test_new_messages),
	    observe_test(test_failing_disk), observe_test(test_unprivileged),
	};

	if (geteuid() != 0) {
		print_message("needs root\n");
		return EXIT_SKIPPED;
	}
	return cmocka_run_group_tests_name("observe log", tests, NULL, NULL);
}
