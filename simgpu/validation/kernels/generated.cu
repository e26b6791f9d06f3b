// Random kernels, made by random_kernels.py: branches, loops, shuffles, votes, barriers, atomics and all operations of
// integers and of single and double precision.
#include "harness.h"

#include <random_kernels.h> // made in the build folder by random_kernels.py
