#include "options.h"
#include "error.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The nearest of several words to an unknown one, by edit distance. */
struct guess {
  const char *word, *nearest;
  size_t distance;
};

enum { WORD_MAX = 40 };

static size_t min3(size_t a, size_t b, size_t c) {
  size_t ab = a < b ? a : b;
  return ab < c ? ab : c;
}

/* Levenshtein distance by rows; SIZE_MAX for words that are too long. */
static size_t edit_distance(const char *a, const char *b) {
  size_t row[WORD_MAX + 1], length = strlen(b);
  if (length > WORD_MAX)
    return SIZE_MAX;
  for (size_t k = 0; k <= length; k++)
    row[k] = k;
  for (; *a; a++) {
    size_t diagonal = row[0]++;
    for (size_t k = 1; k <= length; k++) {
      size_t above = row[k];
      row[k] = min3(above + 1, row[k - 1] + 1, diagonal + (*a != b[k - 1]));
      diagonal = above;
    }
  }
  return row[length];
}

static void guess_from(struct guess *guess, const char *candidate) {
  size_t distance = edit_distance(guess->word, candidate);
  if (distance < guess->distance && distance < strlen(candidate)) {
    guess->distance = distance;
    guess->nearest = candidate;
  }
}

/* Two letters may be wrong, or a third of a long word, but never all letters. */
static struct guess guess_start(const char *word) {
  size_t length = strlen(word);
  size_t limit = length / 3 > 2 ? length / 3 : 2;
  return (struct guess){.word = word, .distance = limit + 1 < length ? limit + 1 : length};
}

__attribute__((noreturn)) static void unknown_option(const struct options_option *options,
                                                     const char *argument, const char *name) {
  struct guess guess = guess_start(name);
  for (const struct options_option *o = options; o->name; o++)
    guess_from(&guess, o->name);
  guess_from(&guess, "help");
  if (guess.nearest)
    error_die("unknown option %s: did you mean --%s?", argument, guess.nearest);
  error_die("unknown option %s: --help lists the options", argument);
}

__attribute__((noreturn)) static void unknown_command(const struct options_command *commands,
                                                      const char *word) {
  struct guess guess = guess_start(word);
  for (const struct options_command *c = commands; c->options; c++)
    if (c->name)
      guess_from(&guess, c->name);
  if (guess.nearest)
    error_die("unknown command '%s': did you mean %s?", word, guess.nearest);
  error_die("unknown command '%s': --help lists the commands", word);
}

static void join_choices(char *text, size_t size, const char *const *choices) {
  size_t used = 0;
  for (; *choices && used < size; choices++)
    used += (size_t)snprintf(text + used, size - used, "%s%s", *choices, choices[1] ? "|" : "");
}

static void set_choice(const struct options_option *option, const char *text) {
  struct guess guess = guess_start(text);
  char list[256];
  for (int k = 0; option->choices[k]; k++) {
    if (strcmp(option->choices[k], text) == 0) {
      *option->value.integer = k;
      return;
    }
    guess_from(&guess, option->choices[k]);
  }
  join_choices(list, sizeof list, option->choices);
  if (guess.nearest)
    error_die("--%s %s: did you mean %s? (%s)", option->name, text, guess.nearest, list);
  error_die("--%s %s: expected %s", option->name, text, list);
}

/* strtol and strtod skip spaces and accept an empty text. */
static bool is_number_start(char c) { return c != '\0' && strchr("+-.0123456789", c); }

static void set_integer(const struct options_option *option, const char *text) {
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  if (!is_number_start(*text) || end == text || *end || errno ||
      !(option->min <= (double)value && (double)value <= option->max))
    error_die("--%s %s: expected an integer from %.0f to %.0f", option->name, text, option->min, option->max);
  *option->value.integer = (int)value;
}

static void set_number(const struct options_option *option, const char *text) {
  char *end;
  double value = strtod(text, &end);
  if (!is_number_start(*text) || end == text || *end || !isfinite(value) ||
      !(option->min <= value && value <= option->max))
    error_die("--%s %s: expected a number from %g to %g", option->name, text, option->min, option->max);
  *option->value.number = value;
}

static void set_value(const struct options_option *option, const char *text) {
  switch (option->kind) {
  case OPTIONS_KIND_FLAG:
    *option->value.flag = true;
    break;
  case OPTIONS_KIND_INT:
    set_integer(option, text);
    break;
  case OPTIONS_KIND_DOUBLE:
    set_number(option, text);
    break;
  case OPTIONS_KIND_STRING:
    *option->value.string = text;
    break;
  case OPTIONS_KIND_CHOICE:
    set_choice(option, text);
    break;
  case OPTIONS_KIND_CALL:
    option->value.call(text);
    break;
  }
}

static void operand_text(char *text, size_t size, const struct options_option *option) {
  text[0] = '\0';
  if (option->kind == OPTIONS_KIND_CHOICE)
    join_choices(text, size, option->choices);
  else if (option->operand)
    snprintf(text, size, "%s", option->operand);
}

/* Range and default, if meaningful: a default outside the range means "none". */
static void print_facts(const struct options_option *o) {
  if (o->kind == OPTIONS_KIND_INT) {
    printf(" (%.0f to %.0f", o->min, o->max);
    if (o->min <= *o->value.integer && *o->value.integer <= o->max)
      printf("; default %d", *o->value.integer);
    printf(")");
  } else if (o->kind == OPTIONS_KIND_DOUBLE) {
    printf(" (%g to %g", o->min, o->max);
    if (o->min <= *o->value.number && *o->value.number <= o->max)
      printf("; default %g", *o->value.number);
    printf(")");
  } else if (o->kind == OPTIONS_KIND_STRING && *o->value.string) {
    printf(" (default %s)", *o->value.string);
  } else if (o->kind == OPTIONS_KIND_CHOICE && *o->value.integer >= 0) {
    printf(" (default %s)", o->choices[*o->value.integer]);
  }
}

static const struct options_option *find_option(const struct options_option *options, const char *name,
                                                size_t length) {
  for (; options->name; options++)
    if (strlen(options->name) == length && strncmp(options->name, name, length) == 0)
      return options;
  return NULL;
}

static const struct options_option *find_arguments(const struct options_command *command) {
  return find_option(command->options, "", 0);
}

static void print_options(const struct options_option *o) {
  for (; o->name; o++) {
    char operand[256], left[320];
    operand_text(operand, sizeof operand, o);
    snprintf(left, sizeof left, *o->name ? "--%s %s" : "%s%s", o->name, operand);
    printf("  %-24s %s", left, o->help);
    print_facts(o);
    printf("\n");
  }
}

/* An option list shared with the previous command is printed once. */
static void print_help(const char *summary, const struct options_command *commands, const char *program) {
  const char *slash = strrchr(program, '/');
  program = slash ? slash + 1 : program;
  printf("%s: %s\n", program, summary);
  for (const struct options_command *c = commands; c->options; c++) {
    const struct options_option *arguments = find_arguments(c);
    printf("\n%s%s%s%s%s%s\n    %s\n", program, c->name ? " " : "", c->name ? c->name : "",
           c->options->name ? " [options]" : "", arguments ? " " : "", arguments ? arguments->operand : "",
           c->help);
    if (c == commands || c->options != c[-1].options)
      print_options(c->options);
  }
}

static int find_command(const struct options_command *commands, int argc, char **argv, int *next) {
  bool word = argc > 1 && argv[1][0] != '-';
  *next = word ? 2 : 1;
  for (int k = 0; commands[k].options; k++)
    if (word ? commands[k].name && strcmp(commands[k].name, argv[1]) == 0 : !commands[k].name)
      return k;
  *next = 1;
  if (word && !commands->name && find_arguments(commands))
    return 0;
  if (word)
    unknown_command(commands, argv[1]);
  error_die("expected a command: --help lists the commands");
}

/* Sets one option from argv[k], and perhaps argv[k + 1]; returns the place after it. */
static int parse_option(const struct options_command *command, int argc, char **argv, int k) {
  const struct options_option *options = command->options, *arguments = find_arguments(command);
  const char *argument = argv[k];
  if (argument[0] != '-') {
    if (!arguments)
      error_die("unexpected argument '%s': expected an option", argument);
    set_value(arguments, argument);
    return k + 1;
  }
  const char *name = argument + strspn(argument, "-");
  size_t length = strcspn(name, "=");
  const struct options_option *option = find_option(options, name, length);
  if (name - argument != 2 || length == 0 || !option) {
    char word[WORD_MAX + 1];
    snprintf(word, sizeof word, "%.*s", (int)(length < WORD_MAX ? length : WORD_MAX), name);
    unknown_option(options, argument, word);
  }
  const char *value = name[length] == '=' ? name + length + 1 : NULL;
  if (option->kind == OPTIONS_KIND_FLAG || (option->kind == OPTIONS_KIND_CALL && !option->operand)) {
    if (value)
      error_die("--%s takes no value, got '%s'", option->name, value);
  } else if (!value) {
    if (k + 1 >= argc || strncmp(argv[k + 1], "--", 2) == 0) {
      char operand[256];
      operand_text(operand, sizeof operand, option);
      error_die("--%s needs a value: %s: %s", option->name, operand, option->help);
    }
    value = argv[++k];
  }
  set_value(option, value);
  return k + 1;
}

int options_parse(const char *summary, const struct options_command *commands, int argc, char **argv) {
  for (int k = 1; k < argc; k++)
    if (strcmp(argv[k], "--help") == 0 || strcmp(argv[k], "-h") == 0) {
      print_help(summary, commands, argv[0]);
      exit(0);
    }
  int next, command = find_command(commands, argc, argv, &next);
  while (next < argc)
    next = parse_option(&commands[command], argc, argv, next);
  return command;
}

int options_next_int(const char *name, const char *list, const char **rest, int min, int max) {
  char *end;
  const long value = strtol(*rest, &end, 10);
  if (end == *rest || (*end != ',' && *end != '\0') || (*end == ',' && end[1] == '\0') || value < min ||
      value > max)
    error_die("--%s %s: expected integers from %d to %d, separated by commas", name, list, min, max);
  *rest = *end ? end + 1 : end;
  return (int)value;
}
