#include "attempts.h"
#include "csv.h"
#include "error.h"
#include "standing.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char header[] = "time,kind,id,verdict,points,max_points,bonus,measured,unit";

static bool is_regular(const char *path) {
  struct stat file;
  return stat(path, &file) == 0 && S_ISREG(file.st_mode) && access(path, R_OK) == 0;
}

/* A number that fills its cell. */
static bool read_number(const struct csv *csv, const char *column, double *number) {
  const char *text = csv_text(csv, column);
  char *end;
  *number = strtod(text, &end);
  return end != text && !*end && isfinite(*number);
}

/* A value stays known when a later check cannot measure it. */
static void read_row(json_t *attempts, const struct csv *csv) {
  double points, max_points, measured;
  const char *id = csv_text(csv, "id"), *verdict = csv_text(csv, "verdict");
  if (csv->fields != csv->columns || strcmp(csv_text(csv, "kind"), "item") != 0 || !id[0] || !verdict[0] ||
      !read_number(csv, "points", &points) || !read_number(csv, "max_points", &max_points))
    return;
  json_t *row = json_pack("{s:s, s:f, s:f}", "verdict", verdict, "points", points, "max_points", max_points);
  json_t *known = json_object_get(json_object_get(attempts, id), "measured");
  if (read_number(csv, "measured", &measured))
    json_object_set_new(row, "measured", json_real(measured));
  else if (known)
    json_object_set(row, "measured", known);
  json_object_set_new(attempts, id, row); /* fails, and releases the row, if the text is not UTF-8 */
}

json_t *attempts_read(const char *path) {
  json_t *attempts = json_object();
  struct csv csv = {.file = NULL};
  if (is_regular(path) && csv_open(&csv, path) && csv_has(&csv, "kind") && csv_has(&csv, "measured"))
    while (csv_next(&csv))
      read_row(attempts, &csv);
  csv_close(&csv);
  return attempts;
}

static double number(const json_t *from, const char *name) {
  return json_number_value(json_object_get(from, name));
}

static const char *text(const json_t *from, const char *name) {
  const char *string = json_string_value(json_object_get(from, name));
  return string ? string : "";
}

static bool is_same_value(const json_t *item, const json_t *before) {
  return !json_object_get(item, "measured") ||
         !standing_is_change(number(before, "measured"), number(item, "measured"));
}

static bool has_changed(const json_t *item, const json_t *before) {
  return !before || strcmp(text(item, "verdict"), text(before, "verdict")) != 0 ||
         fabs(number(item, "points") - number(before, "points")) > 0.001 ||
         fabs(number(item, "max_points") - number(before, "max_points")) > 0.001 ||
         !is_same_value(item, before);
}

static void put_number(FILE *out, const json_t *from, const char *name) {
  putc(',', out);
  if (json_is_number(json_object_get(from, name)))
    fprintf(out, "%.6g", number(from, name));
}

static void put_row(FILE *out, const char *kind, const char *id, const json_t *of) {
  char now[32] = "";
  const time_t seconds = time(NULL);
  struct tm local;
  if (localtime_r(&seconds, &local))
    strftime(now, sizeof now, "%Y-%m-%d %H:%M:%S", &local);
  fprintf(out, "%s,%s,%s,%s", now, kind, id, text(of, "verdict"));
  put_number(out, of, "points");
  put_number(out, of, "max_points");
  put_number(out, of, "bonus");
  put_number(out, of, "measured");
  fprintf(out, ",%s\n", text(of, "unit"));
}

/* A file that does not compile has no items: what they were is still the best knowledge about them. */
static void put_items(FILE *out, const json_t *attempts, const json_t *result) {
  size_t n, k;
  json_t *lab, *item;
  json_array_foreach(json_object_get(result, "labs"), n, lab) {
    if (text(lab, "message")[0])
      continue;
    json_array_foreach(json_object_get(lab, "items"), k, item) {
      if (!json_is_false(json_object_get(item, "public")) &&
          has_changed(item, json_object_get(attempts, text(item, "id"))))
        put_row(out, "item", text(item, "id"), item);
    }
  }
}

/* Begins a line, after a line that was torn. */
static void begin(int file, FILE *out) {
  const off_t end = lseek(file, 0, SEEK_END);
  char last = '\n';
  if (end == 0)
    fprintf(out, "%s\n", header);
  else if (end > 0 && pread(file, &last, 1, end - 1) == 1 && last != '\n')
    putc('\n', out);
}

void attempts_append(const char *path, const json_t *attempts, const json_t *result, const char *what) {
  char *rows = NULL;
  size_t size;
  struct stat state;
  if (!json_is_number(json_object_get(result, "points")))
    return; /* INFRA says nothing about the student */
  const int file = open(path, O_RDWR | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC, 0666);
  FILE *out = file >= 0 ? open_memstream(&rows, &size) : NULL;
  if (out && fstat(file, &state) == 0 && S_ISREG(state.st_mode)) {
    begin(file, out);
    put_items(out, attempts, result);
    put_row(out, "check", what, result);
  }
  if (out && fclose(out) == 0 && size > 0 && write(file, rows, size) < 0)
    error_warn("%s: cannot write: ./kit progress will lack this check", path);
  free(rows);
  if (file >= 0)
    close(file);
}
