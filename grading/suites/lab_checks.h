/* Findings of the simulated GPU's checks during a run of a lab program: races, reads of uninitialised
 * memory, bad frees. The device process writes them to a file; the output of the program is ignored. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Call these before and after a run of the program in the current directory. They enable the checks, unless
 * SIMGPU_CHECKS is set, and record the first finding of all runs. arguments: of the run. True: it is the first. */
void lab_checks_begin(void);
bool lab_checks_end(const char *const *arguments);

/* In a test whose kernels race on purpose: its runs do not check for races. */
void lab_checks_allow_races(void);

/* In a test of long runs: disables the checks for its later runs, which then take a quarter of the time.
 * Shorter runs of the same kernels must keep them. */
void lab_checks_stop(void);

/* In a test: records a finding of the suite itself, which counts if the test passes otherwise. The first one counts. */
void lab_checks_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void lab_checks_forget_notes(void);

/* Discards what is recorded. */
void lab_checks_forget(void);
/* The finding recorded since the last call, such as "stencil.cu:41: race: …"; false if there is none. */
bool lab_checks_tell(char *text, size_t size);
