/* The least program there is to start: linked statically by the Makefile. */
int main(void)
{
	return 0;
}
