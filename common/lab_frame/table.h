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
#ifndef TABLE_H
#define TABLE_H

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Formats are those of printf for one double, and without meaning for text. */
struct table_column {
  const char *heading; /* on the terminal; NULL: in the CSV file alone */
  int width;           /* negative: to the left, two blanks after the column before */
  const char *shown;   /* format on the terminal */
  const char *name;    /* in the CSV file; NULL: on the terminal alone */
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
/* There is no such value: "-"; nothing in the CSV file. */
static inline struct table_cell table_none(void) { return (struct table_cell){TABLE_NONE, 0, NULL}; }
/* In the CSV file alone. */
static inline struct table_cell table_hidden(double number) {
  return (struct table_cell){TABLE_HIDDEN, number, NULL};
}

struct table {
  const struct table_column *columns;
  const char *path;
  FILE *csv; /* in memory, so that a program that ends early leaves no file */
  char *text;
  size_t size;
  int status;
};

/* path: of the CSV file, or NULL. Prints the title, a line of its own unless it is NULL, and the headings. */
void table_open(struct table *table, const char *path, const struct table_column *columns, const char *title,
                ...) __attribute__((format(printf, 4, 5)));

/* One cell for each column. */
void table_row(struct table *table, const struct table_cell *cells);

/* A row of which only the first `keys` cells are known, because a part is not written. It is shown on the
 * terminal only. function: which needs it; NULL: not named. */
void table_unwritten(struct table *table, const struct table_cell *cells, int keys, const char *function,
                     int part);

/* Writes the CSV file. Returns the exit status: 0, or UNWRITTEN_STATUS after table_unwritten. */
int table_close(struct table *table);

#ifdef __cplusplus
}
#endif
#endif
