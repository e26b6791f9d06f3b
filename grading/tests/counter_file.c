#include "counter_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Splits a line of CSV in place at its commas and takes the quotes off. Returns the number of fields. */
static int split(char *line, int limit, char **fields) {
  int count = 0;
  char *to = line;
  bool quoted = false;
  fields[count++] = to;
  for (const char *from = line; *from && *from != '\n'; from++)
    if (*from == '"') {
      quoted = !quoted;
    } else if (*from == ',' && !quoted && count < limit) {
      *to++ = '\0';
      fields[count++] = to;
    } else {
      *to++ = *from;
    }
  *to = '\0';
  return count;
}

enum { FIELDS_LIMIT = 128 };

static int find_column(int count, char *const *header, const char *name) {
  for (int n = 0; n < count; n++)
    if (strcmp(header[n], name) == 0)
      return n;
  return -1;
}

/* "void split_kernel<4>(int, float *)" is named split_kernel. */
static bool is_named(const char *kernel, const char *beginning) {
  const char *name = strncmp(kernel, "void ", 5) == 0 ? kernel + 5 : kernel;
  return strncmp(name, beginning, strlen(beginning)) == 0;
}

struct sum {
  const char *kernel, *column;
  int at_kernel, at_column, launches; /* places in a row; -1 before the header and when it lacks them */
  double total;
};

static void add_row(struct sum *sum, char *line) {
  char *fields[FIELDS_LIMIT];
  const int count = split(line, FIELDS_LIMIT, fields);
  if (sum->at_kernel < 0) {
    sum->at_kernel = find_column(count, fields, "kernel");
    sum->at_column = find_column(count, fields, sum->column);
  } else if (sum->at_kernel < count && sum->at_column >= 0 && sum->at_column < count &&
             is_named(fields[sum->at_kernel], sum->kernel)) {
    sum->total += strtod(fields[sum->at_column], NULL);
    sum->launches++;
  }
}

bool counter_file_sum(const char *path, const char *kernel, const char *column, double *total,
                      struct error *error) {
  struct sum sum = {kernel, column, -1, -1, 0, 0};
  char *line = NULL;
  size_t room = 0;
  FILE *file = fopen(path, "r");
  if (!file)
    return error_set(error, "%s: cannot open: %s", path, strerror(errno));
  while (getline(&line, &room, file) > 0)
    add_row(&sum, line);
  free(line);
  fclose(file);
  *total = sum.total;
  if (sum.at_column < 0)
    return error_set(error, "%s: no column '%s'", path, column);
  return sum.launches > 0 || error_set(error, "the kernel %s was not launched", kernel);
}
