/* Reads CSV files with a header, one row at a time. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

enum { CSV_COLUMNS = 128 };

struct csv {
  FILE *file;
  char *header, *row; /* split into cells */
  size_t room;
  int columns, fields; /* of the header, of the row */
  char *column[CSV_COLUMNS], *field[CSV_COLUMNS];
};

/* False when the file cannot be read or is empty; call csv_close in any case. */
bool csv_open(struct csv *csv, const char *path);
bool csv_next(struct csv *csv); /* false after the last row */
void csv_close(struct csv *csv);

bool csv_has(const struct csv *csv, const char *column);
/* A field of the row: "" or 0 if it has none. */
const char *csv_text(const struct csv *csv, const char *column);
double csv_number(const struct csv *csv, const char *column);

/* Copies the cell at from to text, which may be from itself. Removes quotes; two of them inside quotes
 * become one. Returns the end of the cell. *end is the character there: a comma, a newline or 0; or '"' if
 * a quote is not closed. */
const char *csv_cell(const char *from, char *text, char *end);
