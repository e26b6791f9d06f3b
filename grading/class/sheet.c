#include "sheet.h"
#include "allocate.h"
#include "csv.h"
#include "output.h"
#include "plural.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MIB = 64 };

static bool read_bytes(struct sheet *sheet, struct error *error) {
  FILE *file = fopen(sheet->path, "rb");
  long size = 0;
  if (!file || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0 || fseek(file, 0, SEEK_SET) != 0) {
    error_set(error, "%s: cannot read: %s", sheet->path, strerror(errno));
  } else if (size > (long)MOST_MIB << 20) {
    error_set(error, "%s: more than %d MiB: expected a CSV file", sheet->path, MOST_MIB);
  } else {
    sheet->bytes = allocate_zeroed((size_t)size + 1, 1);
    sheet->size = fread(sheet->bytes, 1, (size_t)size, file);
    if (ferror(file) || strlen(sheet->bytes) != sheet->size || sheet->size == 0) {
      error_set(error, "%s: %s: expected a CSV file in UTF-8", sheet->path,
                sheet->size == 0 ? "empty" : "not text");
      free(sheet->bytes);
      sheet->bytes = NULL;
    }
  }
  if (file)
    fclose(file);
  return sheet->bytes != NULL;
}

static bool is_line_end(char c) { return c == '\n' || c == '\r'; }

/* Reads the cell that begins at *at, and moves *at to its end. False if a quote is not closed. */
static bool cut_cell(const struct sheet *sheet, size_t *at, int *line, struct sheet_cell *cell) {
  char end;
  *cell = (struct sheet_cell){.at = *at, .text = sheet->texts + *at};
  *at = (size_t)(csv_cell(sheet->bytes + *at, cell->text, &end) - sheet->bytes);
  cell->length = *at - cell->at;
  for (size_t n = cell->at; n < *at; n++)
    *line += sheet->bytes[n] == '\n';
  return end != '"';
}

/* Reads the cells of one row. The header sets their number, which all other rows must have. */
static bool cut_row(struct sheet *sheet, size_t *at, int *line, int *used, struct error *error) {
  const int first = *line;
  int count = 0;
  for (;;) {
    if (!cut_cell(sheet, at, line, &sheet->cells[(*used)++]))
      return error_set(error, "%s:%d: a quote is not closed: expected a CSV file", sheet->path, first);
    count++;
    if (sheet->bytes[*at] != ',')
      break;
    ++*at;
  }
  if (sheet->rows > 0 && count != sheet->columns)
    return error_set(error, "%s:%d: %d cell%s: expected %d, as in the header", sheet->path, first, count,
                     PLURAL(count), sheet->columns);
  sheet->columns = count;
  sheet->lines[sheet->rows++] = first;
  return true;
}

static bool cut_rows(struct sheet *sheet, struct error *error) {
  size_t at = strncmp(sheet->bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0, cells = 1, lines = 1;
  int line = 1, used = 0;
  for (const char *c = sheet->bytes; *c; c++) {
    cells += *c == ',' || is_line_end(*c);
    lines += is_line_end(*c);
  }
  sheet->cells = allocate_zeroed(cells + 1, sizeof *sheet->cells);
  sheet->lines = allocate_zeroed(lines, sizeof *sheet->lines);
  sheet->texts = allocate_zeroed(sheet->size + 1, 1);
  while (sheet->bytes[at]) {
    if (is_line_end(sheet->bytes[at]))
      line += sheet->bytes[at++] == '\n';
    else if (!cut_row(sheet, &at, &line, &used, error))
      return false;
  }
  return sheet->rows > 0 || error_set(error, "%s: no header: expected a CSV file", sheet->path);
}

bool sheet_read(struct sheet *sheet, const char *path, struct error *error) {
  *sheet = (struct sheet){.path = path};
  if (read_bytes(sheet, error) && cut_rows(sheet, error))
    return true;
  sheet_free(sheet);
  return false;
}

int sheet_column(const struct sheet *sheet, const char *name) {
  for (int n = 0; n < sheet->columns; n++)
    if (strcmp(sheet->cells[n].text, name) == 0)
      return n;
  return -1;
}

static struct sheet_cell *cell_of(const struct sheet *sheet, int row, int column) {
  return &sheet->cells[(size_t)row * (size_t)sheet->columns + (size_t)column];
}

const char *sheet_text(const struct sheet *sheet, int row, int column) {
  return cell_of(sheet, row, column)->text;
}

bool sheet_number(const struct sheet *sheet, int row, int column, double *number, struct error *error) {
  const char *text = sheet_text(sheet, row, column);
  char *end;
  error->text[0] = '\0';
  *number = strtod(text, &end);
  if (!text[0])
    return false;
  return (end != text && !*end && isfinite(*number) && *number >= 0) ||
         error_set(error, "%s:%d: %s = '%s': expected a number, at least 0", sheet->path, sheet->lines[row],
                   sheet_text(sheet, 0, column), text);
}

void sheet_set(struct sheet *sheet, int row, int column, const char *text) {
  struct sheet_cell *cell = cell_of(sheet, row, column);
  const char *quote = sheet->bytes[cell->at] == '"' ? "\"" : "";
  const size_t size = strlen(text) + 3;
  free(cell->changed);
  cell->changed = allocate_zeroed(size, 1);
  snprintf(cell->changed, size, "%s%s%s", quote, text, quote);
}

bool sheet_write(const struct sheet *sheet, const char *path, struct error *error) {
  struct output out;
  size_t done = 0;
  if (!output_open(&out, path, error))
    return false;
  for (int n = 0; n < sheet->rows * sheet->columns; n++) {
    const struct sheet_cell *cell = &sheet->cells[n];
    if (!cell->changed)
      continue;
    fwrite(sheet->bytes + done, 1, cell->at - done, out.stream);
    fputs(cell->changed, out.stream);
    done = cell->at + cell->length;
  }
  fwrite(sheet->bytes + done, 1, sheet->size - done, out.stream);
  return output_commit_to_disk(&out, error);
}

/* After a refused row there are more cells than rows × columns: the first cell without a text marks the end. */
void sheet_free(struct sheet *sheet) {
  for (struct sheet_cell *cell = sheet->cells; cell && cell->text; cell++)
    free(cell->changed);
  free(sheet->cells);
  free(sheet->lines);
  free(sheet->bytes);
  free(sheet->texts);
  *sheet = (struct sheet){0};
}
