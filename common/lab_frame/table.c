#include "table.h"

#include "error.h"
#include "fields.h"
#include "output.h"
#include "progress.h"
#include "unwritten.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static bool is_end(const struct table_column *column) { return !column->heading && !column->name; }

static void show(const struct table *table, const struct table_column *column, const char *text) {
  if (column->heading)
    printf("%s%*s", column->width < 0 && column > table->columns ? "  " : "", column->width, text);
}

static void show_cell(const struct table *table, const struct table_column *column,
                      const struct table_cell *cell) {
  char number[64];
  if (!column->heading || cell->kind == TABLE_HIDDEN)
    return;
  if (cell->kind == TABLE_NUMBER)
    snprintf(number, sizeof number, column->shown, cell->number);
  show(table, column,
       cell->kind == TABLE_NUMBER ? number
       : cell->kind == TABLE_TEXT ? cell->text
       : cell->kind == TABLE_NONE ? "-"
       : cell->number != 0        ? "yes"
                                  : "no");
}

/* The first field of a row has no comma before it. */
static void write_field(struct table *table, const struct table_column *column, const char *text) {
  const struct table_column *before = table->columns;
  while (before < column && !before->name)
    before++;
  fprintf(table->csv, "%s%s", before < column ? "," : "", text);
}

static void write_cell(struct table *table, const struct table_column *column,
                       const struct table_cell *cell) {
  char number[64] = "";
  if (!table->csv || !column->name)
    return;
  if (cell->kind == TABLE_FLAG)
    snprintf(number, sizeof number, "%d", cell->number != 0);
  else if (cell->kind == TABLE_NUMBER || cell->kind == TABLE_HIDDEN)
    snprintf(number, sizeof number, column->written, cell->number);
  write_field(table, column, cell->kind == TABLE_TEXT ? cell->text : number);
}

/* A table only for the CSV file prints nothing on the terminal. */
static void end_row(struct table *table, bool written) {
  const struct table_column *column = table->columns;
  while (!is_end(column) && !column->heading)
    column++;
  if (column->heading)
    printf("\n");
  if (written && table->csv)
    fprintf(table->csv, "\n");
}

void table_open(struct table *table, const char *path, const struct table_column *columns, const char *title,
                ...) {
  *table = (struct table){.columns = columns, .path = path};
  if (path) {
    fields_check_output(path);
    table->csv = open_memstream(&table->text, &table->size);
    if (!table->csv)
      error_die("%s: cannot collect its rows: %s", path, strerror(errno));
  }
  if (title) {
    va_list values;
    va_start(values, title);
    vprintf(title, values);
    va_end(values);
    printf("\n");
  }
  for (const struct table_column *column = columns; !is_end(column); column++) {
    show(table, column, column->heading);
    if (table->csv && column->name)
      write_field(table, column, column->name);
  }
  end_row(table, true);
}

void table_row(struct table *table, const struct table_cell *cells) {
  progress_clear();
  for (const struct table_column *column = table->columns; !is_end(column); column++, cells++) {
    show_cell(table, column, cells);
    write_cell(table, column, cells);
  }
  end_row(table, true);
}

void table_unwritten(struct table *table, const struct table_cell *cells, int keys, const char *function,
                     int part) {
  progress_clear();
  for (int n = 0; n < keys; n++)
    show_cell(table, &table->columns[n], &cells[n]);
  printf("%s%sTODO(%d): not written yet", function ? function : "", function ? ": " : "", part);
  end_row(table, false);
  table->status = UNWRITTEN_STATUS;
}

int table_close(struct table *table) {
  struct output output;
  struct error error;
  if (!table->csv)
    return table->status;
  const bool complete = fclose(table->csv) == 0;
  if (!output_open(&output, table->path, &error))
    error_die("%s", error.text);
  if (!complete || fwrite(table->text, 1, table->size, output.stream) != table->size)
    error_die("%s: cannot write: %s", table->path, strerror(errno));
  if (!output_commit(&output, &error))
    error_die("%s", error.text);
  free(table->text);
  return table->status;
}
