/* Calls that the simulated device does not offer. Each one reports this once and returns cudaErrorNotSupported.
 *
 * They are defined without parameters and without the toolkit's prototypes, because these differ between
 * versions. No call reads its parameters, and a C caller passes them in the same way. */
#include "../unsupported.h"

#include <cuda.h> /* CUDA_VERSION */

/* clang-format off */
#define UNSUPPORTED(name) cudaError_t name(void) { static bool reported; return unsupported(#name, &reported); }
#include "cuda_unsupported.def"

/* Advice on the users of managed memory is accepted: every stream can use it. */
#define ADVICE(name) cudaError_t name(void) { return cudaSuccess; }
ADVICE(cudaStreamAttachMemAsync) ADVICE(cudaStreamAttachMemAsync_ptsz)
