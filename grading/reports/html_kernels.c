/* What the counters showed: a bar for a measure, source lines with their counts, pictures of a warp's
 * requests. All of it is a submission's doing, so nothing here trusts a type, a number or a length. */
#include "html.h"
#include "waste_limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 32, WORDS = 8, SECTOR = 32, BANKS = 32, ROW_SECTORS = 16, MOST_SECTORS = 64 };

/* A measure's bar */

static double place(double value, double least, double most) {
  return 10 + 340 * fmin(fmax((value - least) / (most - least), 0), 1);
}

static void put_value(FILE *out, const struct report_line *line) {
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
  fputs("<p class=\"soft\">Measured: ", out);
  report_put_escaped(out, text, false);
  fputs("</p>\n", out);
  free(text);
}

void html_put_measure(FILE *out, const struct report_line *line) {
  const double none = line->none_at, full = line->full_at, at = line->measured;
  if (!line->has_measured || !isfinite(at))
    return;
  put_value(out, line);
  if (!line->has_limits || !(fabs(full - none) > 0) || !isfinite(full - none))
    return;
  const double slack = 0.15 * fabs(full - none);
  const double least = fmin(fmin(none, full), at) - slack, most = fmax(fmax(none, full), at) + slack;
  const double x0 = place(none, least, most), x1 = place(full, least, most), edge = full > none ? 350 : 10;
  fprintf(out,
          "<svg width=\"360\" height=\"40\" viewBox=\"0 0 360 40\" role=\"img\" aria-label=\"no points at "
          "%.4g, full marks at %.4g, measured %.4g ",
          none, full, at);
  report_put_escaped(out, line->unit, true);
  fputs("\">", out);
  fprintf(out,
          "<rect x=\"10\" y=\"16\" width=\"340\" height=\"6\" fill=\"var(--rule)\"/>"
          "<polygon points=\"%.1f,22 %.1f,10 %.1f,10 %.1f,22\" fill=\"var(--good)\" opacity=\"0.45\"/>",
          x0, x1, edge, edge);
  const double mark = place(at, least, most);
  fprintf(
      out,
      "<path d=\"M%.1f 6V25M%.1f 6l-4 -6h8z\" stroke=\"var(--ink)\" stroke-width=\"2\" fill=\"var(--ink)\"/>",
      mark, mark);
  const char *ends[] = {"no points", "full marks"};
  const bool rising = full > none;
  fprintf(out,
          "<text x=\"10\" y=\"36\">%s at %.4g</text>"
          "<text x=\"350\" y=\"36\" text-anchor=\"end\">%s at %.4g</text></svg>\n",
          ends[!rising], fmin(none, full), ends[rising], fmax(none, full));
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
static void put_colour(FILE *out, int lane) {
  static const int stops[][3] = {
      {98, 56, 158}, {72, 100, 180}, {40, 155, 150}, {100, 205, 100}, {253, 231, 37}};
  const double t = lane * 4.0 / (LANES - 1);
  const int k = t >= 4 ? 3 : (int)t;
  fputc('#', out);
  for (int c = 0; c < 3; c++)
    fprintf(out, "%02x", (int)(stops[k][c] + (t - k) * (stops[k + 1][c] - stops[k][c]) + 0.5));
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
static void put_words(FILE *out, const struct request *request, long sector, double x, double y) {
  for (int word = 0; word < WORDS; word++)
    for (int lane = 0; lane < LANES; lane++) {
      const long first = request->offset[lane], from = SECTOR * sector + 4 * word;
      if (first < 0 || first > from + 3 || first + request->bytes <= from)
        continue;
      fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"5\" height=\"14\" fill=\"", x + 5 * word, y);
      put_colour(out, lane);
      fputs("\"/>", out);
      break;
    }
}

static void put_sectors(FILE *out, const struct request *request) {
  long sectors[MOST_SECTORS + 1];
  const int count = sectors_of(request, sectors), rows = (count + ROW_SECTORS - 1) / ROW_SECTORS;
  const int columns = count < ROW_SECTORS ? count : ROW_SECTORS;
  fprintf(
      out,
      "<svg width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"the %d sectors that one "
      "warp touches; coloured: the bytes that its lanes ask for\">",
      44 * columns + 2, 20 * rows, 44 * columns + 2, 20 * rows, count);
  for (int n = 0; n < count; n++) {
    const double x = 1 + 44 * (n % ROW_SECTORS), y = 2 + 20 * (n / ROW_SECTORS);
    fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"40\" height=\"14\" fill=\"var(--empty)\"/>", x, y);
    put_words(out, request, sectors[n], x, y);
  }
  fputs("</svg>\n", out);
}

/* Shared memory: a column for each bank, in it the words that lanes want from it, each once. */
static void put_banks(FILE *out, const struct request *request) {
  int height[BANKS] = {0}, tallest = 1;
  long words[BANKS][LANES];
  int lanes[BANKS][LANES];
  for (int lane = 0; lane < LANES; lane++) {
    const long word = request->offset[lane] / 4;
    const int bank = (int)(word % BANKS);
    int n = 0;
    if (request->offset[lane] < 0)
      continue;
    while (n < height[bank] && words[bank][n] != word)
      n++;
    if (n < height[bank])
      continue;
    words[bank][n] = word;
    lanes[bank][n] = lane;
    height[bank]++;
    tallest = height[bank] > tallest ? height[bank] : tallest;
  }
  fprintf(
      out,
      "<svg width=\"450\" height=\"%d\" viewBox=\"0 0 450 %d\" role=\"img\" aria-label=\"the words that one "
      "warp asks for in each of 32 banks, at most %d in one\">",
      8 * tallest + 4, 8 * tallest + 4, tallest);
  for (int bank = 0; bank < BANKS; bank++) {
    fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"2\" fill=\"var(--empty)\"/>", 14 * bank + 1,
            8 * tallest + 2);
    for (int n = 0; n < height[bank]; n++) {
      fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"7\" fill=\"", 14 * bank + 1,
              8 * (tallest - n - 1) + 1);
      put_colour(out, lanes[bank][n]);
      fputs("\"/>", out);
    }
  }
  fputs("</svg>\n", out);
}

static void put_access(FILE *out, const json_t *access) {
  struct request request;
  const char *space = json_string_value(json_object_get(access, "space"));
  if (!read_request(access, &request))
    return;
  const bool shared = space && strcmp(space, "shared") == 0;
  fputs("<figure><figcaption class=\"soft\">line ", out);
  fprintf(out, "%lld, ", (long long)json_integer_value(json_object_get(access, "line")));
  html_put_member(out, access, "operation");
  fprintf(out, " of %ld bytes a lane: one warp, ", request.bytes);
  if (shared)
    fprintf(out, "%lld wavefronts in the 32 banks of shared memory",
            (long long)json_integer_value(json_object_get(access, "cost")));
  else
    fprintf(out, "%lld sectors of 32 bytes", (long long)json_integer_value(json_object_get(access, "cost")));
  fputs("</figcaption>\n", out);
  (shared ? put_banks : put_sectors)(out, &request);
  fputs("</figure>\n", out);
}

/* Source lines */

static double count_of(const json_t *line, const char *key) {
  return json_number_value(json_object_get(line, key));
}

static json_int_t line_number(const json_t *line) {
  return json_integer_value(json_object_get(line, "line"));
}

static void put_cell(FILE *out, bool known, bool over, const char *format, double value) {
  fprintf(out, "<td class=\"number%s\">", over ? " over" : "");
  if (known)
    fprintf(out, format, value);
  fputs("</td>", out);
}

/* The same thresholds as the device's sentences (source_report.c): a row that starts between two sectors is
 * no waste. */
static bool is_wasteful(double spent, double fewest) { return fewest > 0 && spent > WASTE_LIMITS_ACCESS * fewest; }

static bool has_idle_lanes(const json_t *c) {
  return json_object_get(c, "lanes") && count_of(c, "lanes") < 0.75;
}

static void put_counts(FILE *out, const json_t *c) {
  static const char *const kinds[] = {"load", "store"};
  char requests[32], sectors[32], fewest[32];
  put_cell(out, json_object_get(c, "lanes") != NULL, has_idle_lanes(c), "%.2f", count_of(c, "lanes"));
  for (int k = 0; k < 2; k++) {
    snprintf(requests, sizeof requests, "%s_requests", kinds[k]);
    snprintf(sectors, sizeof sectors, "%s_sectors", kinds[k]);
    snprintf(fewest, sizeof fewest, "%s_fewest_sectors", kinds[k]);
    const double asked = count_of(c, requests), moved = count_of(c, sectors);
    put_cell(out, asked > 0, false, "%.0f", asked);
    put_cell(out, asked > 0, is_wasteful(moved, count_of(c, fewest)), "%.1f", moved / asked);
  }
  const double shared = count_of(c, "shared_requests"), wavefronts = count_of(c, "shared_wavefronts"),
               ideal = count_of(c, "shared_fewest_wavefronts");
  put_cell(out, shared > 0, is_wasteful(wavefronts, ideal), "%.0f", wavefronts - ideal);
}

static bool wastes(const json_t *c) {
  return (has_idle_lanes(c) || is_wasteful(count_of(c, "load_sectors"), count_of(c, "load_fewest_sectors")) ||
          is_wasteful(count_of(c, "store_sectors"), count_of(c, "store_fewest_sectors")) ||
          is_wasteful(count_of(c, "shared_wavefronts"), count_of(c, "shared_fewest_wavefronts")));
}

static void put_id(FILE *out, const char *file, long long line) {
  char *clean = report_text(file, strlen(file), REPORT_TEXT_LIMIT);
  report_put_escaped(out, clean, true);
  free(clean);
  fprintf(out, "-%lld", line);
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

void html_put_place(FILE *out, const struct report_lab *lab, const char *source) {
  const char *colon = strrchr(source, ':');
  const long long number = colon ? atoll(colon + 1) : 0;
  char file[256];
  snprintf(file, sizeof file, "%.*s", colon ? (int)(colon - source) : 0, source);
  const bool shown = first_row(lab, file, number);
  if (shown) {
    fputs("<a href=\"#", out);
    put_id(out, file, number);
    fputs("\">", out);
  }
  report_put_escaped(out, source, false);
  fputs(shown ? "</a>" : "", out);
}

static void put_row(FILE *out, const struct report_lab *lab, const json_t *kernel, const json_t *line) {
  const char *file = json_string_value(json_object_get(kernel, "file"));
  fprintf(out, "<tr%s", wastes(line) ? " class=\"waste\"" : "");
  if (file && first_row(lab, file, line_number(line)) == line) {
    fputs(" id=\"", out);
    put_id(out, file, line_number(line));
    putc('"', out);
  }
  fprintf(out, "><td class=\"number\">%lld</td>", (long long)line_number(line));
  put_counts(out, line);
  fputs("<td><code>", out);
  html_put_member(out, line, "text");
  fputs("</code></td></tr>\n", out);
}

static void put_table(FILE *out, const struct report_lab *lab, const json_t *kernel) {
  size_t n;
  json_t *line;
  json_int_t last = 0;
  static const char *const headings[] = {"lanes", "loads", "sectors", "stores", "sectors", "conflicts"};
  fputs("<table class=\"source\">\n<thead><tr><th></th>", out);
  for (size_t k = 0; k < sizeof headings / sizeof *headings; k++)
    fprintf(out, "<th class=\"number\">%s</th>", headings[k]);
  fputs("<th></th></tr></thead>\n<tbody>\n", out);
  json_array_foreach(json_object_get(kernel, "lines"), n, line) {
    if (n > 0 && line_number(line) > last + 1)
      fputs("<tr><td class=\"number\">…</td><td colspan=\"7\"></td></tr>\n", out);
    put_row(out, lab, kernel, line);
    last = line_number(line);
  }
  fputs("</tbody>\n</table>\n", out);
}

static void put_kernel(FILE *out, const struct report_lab *lab, const json_t *kernel) {
  size_t n;
  json_t *line, *access;
  bool wasteful = false;
  json_array_foreach(json_object_get(kernel, "lines"), n, line) wasteful |= wastes(line);
  fprintf(out, "<details%s><summary><code>", wasteful ? " open" : "");
  html_put_member(out, kernel, "kernel");
  fputs("</code> <span class=\"soft\">as counted in a run with ", out);
  html_put_member(out, kernel, "run");
  fputs("</span></summary>\n", out);
  put_table(out, lab, kernel);
  json_array_foreach(json_object_get(kernel, "accesses"), n, access) put_access(out, access);
  fputs("</details>\n", out);
}

void html_put_kernels(FILE *out, const struct report_lab *lab) {
  size_t n;
  json_t *kernel;
  if (json_array_size(lab->kernels) == 0)
    return;
  fputs("<h3>What the source lines did</h3>\n<p class=\"soft\">Lanes: the part at "
        "work. Loads and stores: requests of global memory, sectors for each. Conflicts: wavefronts of "
        "shared memory "
        "beyond the ideal.</p>\n<p class=\"soft\">In the pictures, coloured: the bytes that lanes ask for, a "
        "colour for each "
        "lane. Grey: bytes that move and nobody asks for.</p>\n",
        out);
  json_array_foreach((json_t *)lab->kernels, n, kernel) put_kernel(out, lab, kernel);
}
