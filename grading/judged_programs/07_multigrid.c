/* Lab 07, as the suite runs it. */
#include "../../labs/07_multigrid/main.c" // NOLINT(bugprone-suspicious-include)
