/* Reads CSV files that begin with the names of their columns, a row at a time. */
#ifndef CSV_H
#define CSV_H

#include <stdbool.h>
#include <stdio.h>

enum { CSV_COLUMNS = 128 };

struct csv {
  FILE *file;
  char *header, *row; /* cut apart */
  size_t room;
  int columns, fields; /* of the header, of the row */
  char *column[CSV_COLUMNS], *field[CSV_COLUMNS];
};

/* False when the file cannot be read or is empty; csv_close is due in any case. */
bool csv_open(struct csv *csv, const char *path);
bool csv_next(struct csv *csv); /* false after the last row */
void csv_close(struct csv *csv);

bool csv_has(const struct csv *csv, const char *column);
/* Of the row: "" and 0 where it has no such field. */
const char *csv_text(const struct csv *csv, const char *column);
double csv_number(const struct csv *csv, const char *column);

/* Copies the cell that begins at from to text, which may be from itself: quotes are taken off, two of them
 * inside quotes are one. Returns where it ends. *end is what stands there: a comma, a line's end or the
 * text's; or '"' when a quote stays open. */
const char *csv_cell(const char *from, char *text, char *end);

#endif
