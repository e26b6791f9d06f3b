/* What grade --help says. */
#ifndef USAGE_H
#define USAGE_H

#include <stdbool.h>

extern const char usage_text[];

/* True when --help or -h stands among the arguments. */
bool usage_is_wanted(int argc, char **argv);

#endif
