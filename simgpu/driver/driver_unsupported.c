/* Functions of the driver API that the simulated device does not offer. As in unsupported.c, they have no parameters,
 * and this file does without cuda.h. A failure is not the runtime's last error. */
#include "runtime/last_error.h"
#include "unsupported.h"

/* clang-format off */
#define UNSUPPORTED(name)                                                                                                \
  cudaError_t name(void) {                                                                                               \
    static bool reported;                                                                                                \
    KEEP_LAST_ERROR;                                                                                                     \
    return unsupported(#name, &reported);                                                                                \
  }
#include "driver_unsupported.def"
