/* The largest grid of a contract, 32768 x 32768 points, where an index or a size that does not fit its type shows.
 * Nothing fills its arrays, and kernels run for a few blocks, among them the last ones (judged_far.h). */
#pragma once

#include "npy.h"
#include "program.h"

enum { FAR_ARGUMENTS = 8 };
enum far_function { FAR_PRODUCT, FAR_RED, FAR_BLACK }; /* A u, or a half-sweep of the points of this colour */

/* In a test: runs the program with these arguments, at most FAR_ARGUMENTS, NULL at the end, and compares the last rows
 * of out.npy with those of the function. Fails the test if a value that was written is wrong, or if an access is
 * outside the arrays. A kernel whose blocks share the grid in another way may take too long, as the simulated GPU or
 * the supervisor has seen: that says nothing. */
void far_check(const char *what, const char *const *arguments, enum npy_type type,
               enum far_function function);

/* The same on arrays without values, with all arguments, sizes and --far among them: any access outside the arrays
 * fails the test. */
void far_expect_inside(const char *what, const char *const *arguments);

/* The run of far_check alone, with so many bytes of device memory. */
struct program_result far_run(const char *const *arguments, uint64_t memory);
