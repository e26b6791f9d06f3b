/* Source lines with their counters, and pictures of a warp's requests. The data comes from a submission,
 * so nothing here trusts a type, a number or a length. */
#include "html_kernels.h"
#include "html_access.h"
#include "html_text.h"
#include "waste_limits.h"

#include <stdlib.h>
#include <string.h>

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
  char *clean = text_clean(file, strlen(file), TEXT_LIMIT);
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

json_t *html_kernels_target(const struct report_lab *lab, const char *source) {
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
                   cells(line), "text", html_text_of(line, "text"));
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
    json_array_append_new(accesses, html_access(access));
  return json_pack("{s:b, s:o, s:o, s:o, s:o}", "open", wasteful, "kernel", html_text_of(kernel, "kernel"),
                   "run", html_text_of(kernel, "run"), "rows", rows, "accesses", accesses);
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
