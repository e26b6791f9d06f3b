/* Command lines from tables: long options with values, commands, --help.
 *
 *   static int nx = 64;
 *   static const char *u_file;
 *   static const struct options_option apply_options[] = {
 *       OPTIONS_INT("nx", &nx, 3, 32768, "grid points per row"),
 *       OPTIONS_STRING("u", &u_file, "FILE", "input array"),
 *       OPTIONS_END,
 *   };
 *   static const struct options_command commands[] = {
 *       {NULL, "apply the operator", apply_options},
 *       {"table", "time all kernels", table_options},
 *       OPTIONS_END,
 *   };
 *   switch (options_parse("the discrete Laplacian", commands, argc, argv)) …
 *
 * Variables hold their defaults before the call; --help shows them. Options are written --name value or
 * --name=value; the last one of an option counts. A bad option ends the program with one line, which names
 * the nearest valid word, and ERROR_STATUS. */
#pragma once

#include "c_linkage.h"
#include <stdbool.h>
#include <stddef.h>

C_LINKAGE_BEGIN

enum options_kind {
  OPTIONS_KIND_FLAG,
  OPTIONS_KIND_INT,
  OPTIONS_KIND_DOUBLE,
  OPTIONS_KIND_STRING,
  OPTIONS_KIND_CHOICE,
  OPTIONS_KIND_CALL
};

struct options_option {
  const char *name; /* without the dashes; "": the arguments that are not options */
  enum options_kind kind;
  union {
    bool *flag;
    int *integer; /* also a choice: its index in the list */
    double *number;
    const char **string;
    void (*call)(const char *text); /* in the order of the command line; text is NULL without an operand */
  } value;
  double min, max;            /* int and double, both included */
  const char *const *choices; /* ends with NULL */
  const char *operand;        /* what --help calls the value; a call without one takes none */
  const char *help;
};

/* The first command may have the name NULL. It is chosen if the first argument is an option, or if it
 * names no other command and this command takes arguments. */
struct options_command {
  const char *name;
  const char *help;
  const struct options_option *options; /* never NULL, but may hold OPTIONS_END alone */
};

#define OPTIONS_FLAG(n, variable, text)                                                                      \
  { .name = (n), .kind = OPTIONS_KIND_FLAG, .value.flag = (variable), .help = (text) }
#define OPTIONS_INT(n, variable, low, high, text)                                                            \
  {                                                                                                          \
    .name = (n), .kind = OPTIONS_KIND_INT, .value.integer = (variable), .min = (low), .max = (high),         \
    .operand = "N", .help = (text)                                                                           \
  }
#define OPTIONS_DOUBLE(n, variable, low, high, text)                                                         \
  {                                                                                                          \
    .name = (n), .kind = OPTIONS_KIND_DOUBLE, .value.number = (variable), .min = (low), .max = (high),       \
    .operand = "X", .help = (text)                                                                           \
  }
#define OPTIONS_STRING(n, variable, what, text)                                                              \
  { .name = (n), .kind = OPTIONS_KIND_STRING, .value.string = (variable), .operand = (what), .help = (text) }
#define OPTIONS_CHOICE(n, variable, list, text)                                                              \
  { .name = (n), .kind = OPTIONS_KIND_CHOICE, .value.integer = (variable), .choices = (list), .help = (text) }
#define OPTIONS_CALL(n, function, what, text)                                                                \
  { .name = (n), .kind = OPTIONS_KIND_CALL, .value.call = (function), .operand = (what), .help = (text) }
#define OPTIONS_ARGUMENTS(function, what, text) OPTIONS_CALL("", function, what, text)
#define OPTIONS_END                                                                                          \
  { 0 }

/* Sets the variables and returns the index of the command in commands (which OPTIONS_END ends). Exits with
 * 0 after --help, with ERROR_STATUS after a bad argument. */
int options_parse(const char *summary, const struct options_command *commands, int argc, char **argv);

/* Returns the next number of a list like "500,600", the value of option --name, and moves *rest past it
 * and its comma. *rest is list before the first call, and "" after the last number. Ends the program with
 * one line unless the list holds integers from min to max, separated by commas. */
int options_next_int(const char *name, const char *list, const char **rest, int min, int max);

C_LINKAGE_END
