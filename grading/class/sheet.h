/* A CSV file in memory whose cells can be replaced; all other bytes are written as they were read.
 * Rows count from 0, the header. Columns have commas between; cells may stand in quotes and hold lines. */
#ifndef SHEET_H
#define SHEET_H

#include "error.h"
#include <stddef.h>

struct sheet_cell {
  size_t at, length; /* in the bytes, quotes included */
  char *text;        /* without quotes, in the sheet's texts */
  char *changed;     /* what to write instead, or NULL */
};

struct sheet {
  const char *path; /* for messages; the caller's */
  char *bytes, *texts;
  size_t size;
  int rows, columns;
  int *lines;               /* of the rows, from 1 on */
  struct sheet_cell *cells; /* columns for each row */
};

/* False when the file cannot be read, is no text, has an open quote, or a row has not the header's number of
 * cells. Empty lines are no rows. */
bool sheet_read(struct sheet *sheet, const char *path, struct error *error);

int sheet_column(const struct sheet *sheet, const char *name); /* -1: there is none */
const char *sheet_text(const struct sheet *sheet, int row, int column);

/* The cell is a number that is not negative. False when it is empty, with what is wrong when it is neither.
 */
bool sheet_number(const struct sheet *sheet, int row, int column, double *number, struct error *error);

/* text: without quotes and commas. */
void sheet_set(struct sheet *sheet, int row, int column, const char *text);
bool sheet_write(const struct sheet *sheet, const char *path, struct error *error);
void sheet_free(struct sheet *sheet);

#endif
