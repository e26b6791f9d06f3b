/* Lab 08, as the suite runs it. */
#include "../../labs/08_several_gpus/main.c" // NOLINT(bugprone-suspicious-include)
