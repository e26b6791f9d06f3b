/* A CSV file in memory whose cells can be replaced; all other bytes are written as they were read.
 * Row 0 is the header. Commas separate columns; a cell in quotes may contain several lines. */
#pragma once

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
  int *lines;               /* line of each row in the file, from 1 */
  struct sheet_cell *cells; /* row by row */
};

/* False if the file cannot be read, is not text, or has an unclosed quote or a row with another number of cells
 * than the header. Empty lines are skipped. */
bool sheet_read(struct sheet *sheet, const char *path, struct error *error);

int sheet_column(const struct sheet *sheet, const char *name); /* -1: there is none */
const char *sheet_text(const struct sheet *sheet, int row, int column);

/* Reads a number, at least 0. False if the cell is empty (then error is empty, too) or holds anything else. */
bool sheet_number(const struct sheet *sheet, int row, int column, double *number, struct error *error);

/* text: without quotes and commas. */
void sheet_set(struct sheet *sheet, int row, int column, const char *text);
bool sheet_write(const struct sheet *sheet, const char *path, struct error *error);
void sheet_free(struct sheet *sheet);
