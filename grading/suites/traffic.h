/* Whether the device did the work of a run: it reports each copy between host and device (SIMGPU_TRAFFIC), and the
 * program cannot change what it reports. A finding fails a test that passes otherwise (lab_checks.h). */
#pragma once

#include <stdbool.h>

#include "npy.h"

/* Before and after a run; simulated: on the simulated GPU; arguments: those of the program, which name its files. */
void traffic_begin(bool simulated, const char *const *arguments);
void traffic_end(void);

/* In a test, for an array that the last run wrote to a file: the device sent these words, in one copy or in parts,
 * and a kernel wrote each of them, except those that equal an input at the same place. Zeros do not count. */
void traffic_check_output(const char *path, const struct npy *output);

/* In a test: fails it if the host sends its arrays in more than `most` copies. */
void traffic_check_copies(const char *function, double most);

/* In a test: the host sent each of these arrays to the device, in one copy or in parts one after the other, and little
 * else. A host that computes must send its result, even if a kernel puts it in place. */
void traffic_check_inputs(int count, const struct npy *inputs);

/* In a test whose program prints its results: the device launched so many kernels in the last run. */
void traffic_check_launches(double least);

/* In a test: fails it unless the last run has one launch for each call. Runs without counters have it, too. size: that
 * of the run, in words. */
void traffic_check_calls(const char *function, const char *size, double calls);
