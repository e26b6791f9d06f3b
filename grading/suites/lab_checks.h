/* What the simulated GPU's checks found while a lab program ran: races, reads of uninitialised memory,
 * bad frees. The device process writes them to a file; output of the program is ignored. */
#ifndef LAB_CHECKS_H
#define LAB_CHECKS_H

#include <stdbool.h>
#include <stddef.h>

/* Before and after a run of the program in the current directory: ask for the checks, unless SIMGPU_CHECKS is
 * set already, and note the first finding of all runs. */
void lab_checks_begin(void);
void lab_checks_end(void);

/* In a test whose kernels race on purpose: do not look for races in its runs. */
void lab_checks_allow_races(void);

/* In a test of long runs, which take a fourth of the time without checks: none in its runs from here on.
 * Shorter runs of the same kernels must have them. */
void lab_checks_stop(void);

/* What was noted is of no interest any more. */
void lab_checks_forget(void);
/* What was noted since the last call, "stencil.cu:41: race: …". False: there was nothing. */
bool lab_checks_tell(char *text, size_t size);

#endif
