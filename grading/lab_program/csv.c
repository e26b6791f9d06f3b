#include "csv.h"
#include "error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *csv_cell(const char *from, char *text, char *end) {
  bool quoted = false;
  for (; *from && (quoted || !strchr(",\r\n", *from)); from++)
    if (*from != '"' || (quoted && from[1] == '"' && *++from))
      *text++ = *from;
    else
      quoted = !quoted;
  *end = quoted ? '"' : *from;
  *text = '\0';
  return from;
}

/* Splits a line into its cells, in place. */
static int cut(char *line, char **fields) {
  int count = 0;
  for (char end = ','; end == ',' && count < CSV_COLUMNS; count++) {
    fields[count] = line;
    line += csv_cell(line, line, &end) + 1 - line;
  }
  return count;
}

bool csv_open(struct csv *csv, const char *path) {
  size_t room = 0;
  *csv = (struct csv){.file = fopen(path, "r")};
  if (!csv->file && errno != ENOENT)
    error_die("%s: cannot read: %s", path, strerror(errno));
  if (!csv->file || getline(&csv->header, &room, csv->file) < 0)
    return false;
  csv->columns = cut(csv->header, csv->column);
  return true;
}

bool csv_next(struct csv *csv) {
  if (getline(&csv->row, &csv->room, csv->file) < 0) {
    if (!feof(csv->file))
      error_die("cannot read a table: %s", strerror(errno)); /* a sum would lack its rows */
    return false;
  }
  csv->fields = cut(csv->row, csv->field);
  return true;
}

void csv_close(struct csv *csv) {
  if (csv->file)
    fclose(csv->file);
  free(csv->header);
  free(csv->row);
  *csv = (struct csv){0};
}

static int place(const struct csv *csv, const char *column) {
  int n = 0;
  while (n < csv->columns && strcmp(csv->column[n], column) != 0)
    n++;
  return n;
}

bool csv_has(const struct csv *csv, const char *column) { return place(csv, column) < csv->columns; }

const char *csv_text(const struct csv *csv, const char *column) {
  const int n = place(csv, column);
  return n < csv->columns && n < csv->fields ? csv->field[n] : "";
}

double csv_number(const struct csv *csv, const char *column) { return strtod(csv_text(csv, column), NULL); }
