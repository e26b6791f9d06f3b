/* Apart from other code, because an installation compiles this file again (cmake/install.cmake). */
#include "connection.h"

const char device_path[] = DEVICE_PATH;
