/* How far long work is: one line on standard error, where that is a terminal, rewritten a few times a second.
 * Elsewhere nothing is printed, so that logs and error messages stay clean. */
#ifndef PROGRESS_H
#define PROGRESS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Cheap enough for every step of a loop: most calls only look at the clock. */
void progress_show(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Erases the line; call it before other output. */
void progress_clear(void);

#ifdef __cplusplus
}
#endif
#endif
