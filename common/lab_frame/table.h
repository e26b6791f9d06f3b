/* A table on the terminal and, from the same rows, in a CSV file.
 *
 *   static const struct table_column columns[] = {
 *       {"N", 6, "%.0f", "n", "%.0f"}, {"time (ms)", 12, "%.4f", "ms", "%.6f"}, TABLE_END};
 *   struct table table;
 *   table_open(&table, csv_path, columns, "medians of %d", repeats);
 *   table_row(&table, (struct table_cell[]){table_number(n), table_number(ms)});
 *   return table_close(&table);
 *
 * Failures end the program with one line and ERROR_STATUS. */
#pragma once

#include "c_linkage.h"
#include <stdbool.h>
#include <stdio.h>

C_LINKAGE_BEGIN

/* Formats are printf formats for one double; text ignores them. */
struct table_column {
  const char *heading; /* on the terminal; NULL: only in the CSV file */
  int width;           /* negative: left-aligned, two blanks after the previous column */
  const char *shown;   /* format on the terminal */
  const char *name;    /* in the CSV file; NULL: only on the terminal */
  const char *written; /* format in the CSV file */
};
#define TABLE_END                                                                                            \
  { .heading = NULL }

struct table_cell {
  enum { TABLE_NUMBER, TABLE_TEXT, TABLE_FLAG, TABLE_NONE, TABLE_HIDDEN } kind;
  double number;
  const char *text;
};

static inline struct table_cell table_number(double number) {
  return (struct table_cell){TABLE_NUMBER, number, NULL};
}
static inline struct table_cell table_text(const char *text) {
  return (struct table_cell){TABLE_TEXT, 0, text};
}
/* yes or no; 1 or 0 in the CSV file. */
static inline struct table_cell table_flag(bool flag) { return (struct table_cell){TABLE_FLAG, flag, NULL}; }
/* A missing value: "-"; empty in the CSV file. */
static inline struct table_cell table_none(void) { return (struct table_cell){TABLE_NONE, 0, NULL}; }
/* Only in the CSV file. */
static inline struct table_cell table_hidden(double number) {
  return (struct table_cell){TABLE_HIDDEN, number, NULL};
}

struct table {
  const struct table_column *columns;
  const char *path;
  FILE *csv; /* in memory, so a program that ends early leaves no file */
  char *text;
  size_t size;
  int status;
};

/* path: the CSV file, or NULL. Prints the title on its own line unless it is NULL, then the headings. */
void table_open(struct table *table, const char *path, const struct table_column *columns, const char *title,
                ...) __attribute__((format(printf, 4, 5)));

/* One cell for each column. */
void table_row(struct table *table, const struct table_cell *cells);

/* A row with only the first `keys` cells, because a part is not written. It appears only on the terminal.
 * function: the function that needs the part; NULL: not named. */
void table_unwritten(struct table *table, const struct table_cell *cells, int keys, const char *function,
                     int part);

/* Writes the CSV file. Returns the exit status: 0, or UNWRITTEN_STATUS after table_unwritten. */
int table_close(struct table *table);

C_LINKAGE_END
