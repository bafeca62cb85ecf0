/* Linked with -Wl,--wrap=fdatasync into a build of the tests that is to show what a missing final sync does. */

int __wrap_fdatasync(int fd);

int __wrap_fdatasync(int fd)
{
	(void)fd;
	return 0;
}
