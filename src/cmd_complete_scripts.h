#ifndef CMD_COMPLETE_SCRIPTS_H
#define CMD_COMPLETE_SCRIPTS_H

/* What a shell is to source. It passes the words up to the cursor, as they were typed, to 'completion words', which
 * prints what the shell is to complete (words, files or directories) in the first line and words that can stand there
 * in the others. */
struct completion_script {
	const char *shell, *text;
};
extern const struct completion_script completion_scripts[]; /* ends with a NULL shell */

#endif
