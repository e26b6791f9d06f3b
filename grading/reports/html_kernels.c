/* What the counters showed: a bar for a measure, source lines with their counts, pictures of a warp's
 * requests. All of it is a submission's doing, so nothing here trusts a type, a number or a length. */
#include "html.h"
#include "waste_limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 32, WORDS = 8, SECTOR = 32, BANKS = 32, ROW_SECTORS = 16, MOST_SECTORS = 64 };
enum { PIXELS_SECTOR = 44, PIXELS_ROW = 20, PIXELS_BANK = 14, PIXELS_WORD = 8 };

/* A measure's bar */

static double place(double value, double least, double most) {
  return 10 + 340 * fmin(fmax((value - least) / (most - least), 0), 1);
}

static char *value_text(const struct report_item *line) {
  char *text = NULL;
  size_t size;
  FILE *stream = open_memstream(&text, &size);
  if (!stream)
    error_die("no memory for a report");
  if (line->has_limits)
    standing_put_measure(stream, line->measured, line->unit, line->none_at, line->full_at);
  else
    fprintf(stream, "%.4g %s", line->measured, line->unit);
  if (line->formula[0])
    fprintf(stream, " (%s)", line->formula);
  if (fclose(stream) != 0)
    error_die("no memory for a report");
  return text;
}

static json_t *bar_members(const struct report_item *line) {
  static const char *const ends[] = {"no points", "full marks"};
  const double none = line->none_at, full = line->full_at, at = line->measured;
  const bool rising = full > none;
  if (!line->has_limits || !(fabs(full - none) > 0) || !isfinite(full - none))
    return NULL;
  const double slack = 0.15 * fabs(full - none);
  const double least = fmin(fmin(none, full), at) - slack, most = fmax(fmax(none, full), at) + slack;
  return json_pack("{s:o, s:o, s:o, s:s, s:o, s:o, s:s, s:o, s:o, s:o}", "none_at", html_text("%.4g", none),
                   "full_at", html_text("%.4g", full), "measured", html_text("%.4g", at), "unit", line->unit,
                   "none", html_text("%.1f", place(none, least, most)), "full",
                   html_text("%.1f", place(full, least, most)), "edge", rising ? "350.0" : "10.0", "mark",
                   html_text("%.1f", place(at, least, most)), "left",
                   html_text("%s at %.4g", ends[!rising], fmin(none, full)), "right",
                   html_text("%s at %.4g", ends[rising], fmax(none, full)));
}

json_t *html_measure(const struct report_item *line) {
  if (!line->has_measured || !isfinite(line->measured))
    return NULL;
  char *text = value_text(line);
  json_t *measure = json_pack("{s:s, s:o?}", "value", text, "bar", bar_members(line));
  free(text);
  return measure;
}

/* A warp's request: the bytes of its lanes, from the start of its first sector on; -1 for an idle lane. */
struct request {
  long offset[LANES], bytes;
};

/* "0 8 16 - …", as judge_lab's kernels.c writes it. */
static bool read_request(const json_t *access, struct request *request) {
  const char *text = json_string_value(json_object_get(access, "lanes"));
  char *end;
  request->bytes = (long)json_integer_value(json_object_get(access, "bytes"));
  if (!text || request->bytes < 1 || request->bytes > 16)
    return false;
  for (int lane = 0; lane < LANES; lane++, text = end) {
    text += strspn(text, " ");
    if (*text == '-') {
      request->offset[lane] = -1;
      end = (char *)text + 1;
      continue;
    }
    request->offset[lane] = strtol(text, &end, 10);
    if (end == text || request->offset[lane] < 0 || request->offset[lane] > 1L << 40)
      return false;
  }
  return true;
}

/* Dark blue over green to yellow, near viridis (matplotlib), from lane to lane. */
static json_t *colour(int lane) {
  static const int stops[][3] = {
      {98, 56, 158}, {72, 100, 180}, {40, 155, 150}, {100, 205, 100}, {253, 231, 37}};
  const double t = lane * 4.0 / (LANES - 1);
  const int k = t >= 4 ? 3 : (int)t;
  int mixed[3];
  for (int c = 0; c < 3; c++)
    mixed[c] = (int)(stops[k][c] + (t - k) * (stops[k + 1][c] - stops[k][c]) + 0.5);
  return html_text("#%02x%02x%02x", mixed[0], mixed[1], mixed[2]);
}

/* A rectangle of a picture; colour: NULL, or a new reference. */
static json_t *rectangle(int x, int y, json_t *filled) {
  return json_pack("{s:i, s:i, s:o?}", "x", x, "y", y, "colour", filled);
}

/* Distinct sectors in ascending order; of more than there is room for, the first. */
static int sectors_of(const struct request *request, long *sectors) {
  int count = 0;
  for (int lane = 0; lane < LANES; lane++)
    for (long s = request->offset[lane] / SECTOR;
         request->offset[lane] >= 0 && s <= (request->offset[lane] + request->bytes - 1) / SECTOR; s++) {
      int at = count;
      while (at > 0 && sectors[at - 1] >= s)
        at--;
      if ((at < count && sectors[at] == s) || at == MOST_SECTORS)
        continue;
      memmove(sectors + at + 1, sectors + at,
              (size_t)(count - at - (count == MOST_SECTORS)) * sizeof *sectors);
      sectors[at] = s;
      count += count < MOST_SECTORS;
    }
  return count;
}

/* The words of a sector that lanes ask for, in the colour of the lowest. */
static json_t *words_of(const struct request *request, long sector, int x, int y) {
  json_t *words = json_array();
  for (int word = 0; word < WORDS; word++)
    for (int lane = 0; lane < LANES; lane++) {
      const long first = request->offset[lane], from = SECTOR * sector + 4 * word;
      if (first < 0 || first > from + 3 || first + request->bytes <= from)
        continue;
      json_array_append_new(words, rectangle(x + 5 * word, y, colour(lane)));
      break;
    }
  return words;
}

static json_t *sectors_members(const struct request *request) {
  long sectors[MOST_SECTORS + 1];
  const int count = sectors_of(request, sectors), rows = (count + ROW_SECTORS - 1) / ROW_SECTORS;
  const int columns = count < ROW_SECTORS ? count : ROW_SECTORS;
  json_t *list = json_array();
  for (int n = 0; n < count; n++) {
    const int x = 1 + PIXELS_SECTOR * (n % ROW_SECTORS), y = 2 + PIXELS_ROW * (n / ROW_SECTORS);
    json_t *sector = rectangle(x, y, NULL);
    json_object_set_new(sector, "words", words_of(request, sectors[n], x, y));
    json_array_append_new(list, sector);
  }
  return json_pack("{s:i, s:i, s:i, s:o}", "count", count, "width", PIXELS_SECTOR * columns + 2, "height",
                   PIXELS_ROW * rows, "list", list);
}

/* The words that lanes want from each bank of shared memory, each once, and a lane that wants it. */
struct banks {
  int height[BANKS], tallest;
  long words[BANKS][LANES];
  int lanes[BANKS][LANES];
};

static void fill_banks(const struct request *request, struct banks *banks) {
  *banks = (struct banks){.tallest = 1};
  for (int lane = 0; lane < LANES; lane++) {
    const long word = request->offset[lane] / 4;
    const int bank = (int)(word % BANKS);
    int n = 0;
    if (request->offset[lane] < 0)
      continue;
    while (n < banks->height[bank] && banks->words[bank][n] != word)
      n++;
    if (n < banks->height[bank])
      continue;
    banks->words[bank][n] = word;
    banks->lanes[bank][n] = lane;
    banks->height[bank]++;
    banks->tallest = banks->height[bank] > banks->tallest ? banks->height[bank] : banks->tallest;
  }
}

/* A column for each bank. */
static json_t *banks_members(const struct request *request) {
  struct banks banks;
  json_t *list = json_array();
  fill_banks(request, &banks);
  for (int bank = 0; bank < BANKS; bank++) {
    const int x = PIXELS_BANK * bank + 1;
    json_t *column = rectangle(x, PIXELS_WORD * banks.tallest + 2, NULL), *words = json_array();
    for (int n = 0; n < banks.height[bank]; n++)
      json_array_append_new(
          words, rectangle(x, PIXELS_WORD * (banks.tallest - n - 1) + 1, colour(banks.lanes[bank][n])));
    json_object_set_new(column, "words", words);
    json_array_append_new(list, column);
  }
  return json_pack("{s:i, s:i, s:o}", "height", PIXELS_WORD * banks.tallest + 4, "most", banks.tallest,
                   "list", list);
}

/* NULL when it cannot be read. */
static json_t *access_members(const json_t *access) {
  struct request request;
  const char *space = json_string_value(json_object_get(access, "space"));
  if (!read_request(access, &request))
    return NULL;
  const bool shared = space && strcmp(space, "shared") == 0;
  return json_pack("{s:I, s:o, s:I, s:I, s:o}", "line", json_integer_value(json_object_get(access, "line")),
                   "operation", html_member(access, "operation"), "bytes", (json_int_t)request.bytes, "cost",
                   json_integer_value(json_object_get(access, "cost")), shared ? "banks" : "sectors",
                   shared ? banks_members(&request) : sectors_members(&request));
}

/* Source items */

static double count_of(const json_t *line, const char *key) {
  return json_number_value(json_object_get(line, key));
}

static json_int_t line_number(const json_t *line) {
  return json_integer_value(json_object_get(line, "line"));
}

static json_t *cell(bool known, bool over, const char *format, double value) {
  char text[64] = "";
  if (known)
    snprintf(text, sizeof text, format, value);
  return json_pack("{s:b, s:s}", "over", over, "count", text);
}

static bool is_wasteful(double spent, double fewest) {
  return fewest > 0 && spent > WASTE_LIMITS_ACCESS * fewest;
}

static bool has_idle_lanes(const json_t *c) {
  return json_object_get(c, "lanes") && 1 - count_of(c, "lanes") > WASTE_LIMITS_IDLE;
}

static json_t *cells(const json_t *c) {
  static const char *const kinds[] = {"load", "store"};
  char requests[32], sectors[32], fewest[32];
  json_t *list = json_array();
  json_array_append_new(list,
                        cell(json_object_get(c, "lanes"), has_idle_lanes(c), "%.2f", count_of(c, "lanes")));
  for (int k = 0; k < 2; k++) {
    snprintf(requests, sizeof requests, "%s_requests", kinds[k]);
    snprintf(sectors, sizeof sectors, "%s_sectors", kinds[k]);
    snprintf(fewest, sizeof fewest, "%s_fewest_sectors", kinds[k]);
    const double asked = count_of(c, requests), moved = count_of(c, sectors);
    json_array_append_new(list, cell(asked > 0, false, "%.0f", asked));
    json_array_append_new(list,
                          cell(asked > 0, is_wasteful(moved, count_of(c, fewest)), "%.1f", moved / asked));
  }
  const double shared = count_of(c, "shared_requests"), wavefronts = count_of(c, "shared_wavefronts"),
               ideal = count_of(c, "shared_fewest_wavefronts");
  json_array_append_new(list, cell(shared > 0, is_wasteful(wavefronts, ideal), "%.0f", wavefronts - ideal));
  return list;
}

static bool wastes(const json_t *c) {
  return (has_idle_lanes(c) || is_wasteful(count_of(c, "load_sectors"), count_of(c, "load_fewest_sectors")) ||
          is_wasteful(count_of(c, "store_sectors"), count_of(c, "store_fewest_sectors")) ||
          is_wasteful(count_of(c, "shared_wavefronts"), count_of(c, "shared_fewest_wavefronts")));
}

static json_t *id_text(const char *file, long long line) {
  char *clean = report_text(file, strlen(file), REPORT_TEXT_LIMIT);
  json_t *id = html_text("%s-%lld", clean, line);
  free(clean);
  return id;
}

/* The first row of a source line, which has its id. */
static const json_t *first_row(const struct report_lab *lab, const char *file, json_int_t number) {
  size_t n, k;
  json_t *kernel, *line;
  json_array_foreach((json_t *)lab->kernels, n, kernel) {
    const char *its = json_string_value(json_object_get(kernel, "file"));
    json_array_foreach(json_object_get(kernel, "lines"), k, line) {
      if (its && strcmp(its, file) == 0 && line_number(line) == number)
        return line;
    }
  }
  return NULL;
}

json_t *html_target(const struct report_lab *lab, const char *source) {
  const char *colon = strrchr(source, ':');
  const long long number = colon ? atoll(colon + 1) : 0;
  char file[256];
  snprintf(file, sizeof file, "%.*s", colon ? (int)(colon - source) : 0, source);
  return first_row(lab, file, number) ? id_text(file, number) : NULL;
}

static json_t *row_members(const struct report_lab *lab, const json_t *kernel, const json_t *line, bool gap) {
  const char *file = json_string_value(json_object_get(kernel, "file"));
  const bool is_first = file && first_row(lab, file, line_number(line)) == line;
  return json_pack("{s:b, s:b, s:o?, s:I, s:o, s:o}", "gap", gap, "waste", wastes(line), "id",
                   is_first ? id_text(file, line_number(line)) : NULL, "line", line_number(line), "counts",
                   cells(line), "text", html_member(line, "text"));
}

static json_t *kernel_members(const struct report_lab *lab, const json_t *kernel) {
  json_t *rows = json_array(), *accesses = json_array(), *line, *access;
  size_t n;
  json_int_t last = 0;
  bool wasteful = false;
  json_array_foreach(json_object_get(kernel, "lines"), n, line) {
    json_array_append_new(rows, row_members(lab, kernel, line, n > 0 && line_number(line) > last + 1));
    last = line_number(line);
    wasteful |= wastes(line);
  }
  json_array_foreach(json_object_get(kernel, "accesses"), n, access)
      json_array_append_new(accesses, access_members(access));
  return json_pack("{s:b, s:o, s:o, s:o, s:o}", "open", wasteful, "kernel", html_member(kernel, "kernel"),
                   "run", html_member(kernel, "run"), "rows", rows, "accesses", accesses);
}

json_t *html_kernels(const struct report_lab *lab) {
  json_t *list, *kernel;
  size_t n;
  if (json_array_size(lab->kernels) == 0)
    return NULL;
  list = json_array();
  json_array_foreach((json_t *)lab->kernels, n, kernel)
      json_array_append_new(list, kernel_members(lab, kernel));
  return json_pack("{s:o}", "list", list);
}
