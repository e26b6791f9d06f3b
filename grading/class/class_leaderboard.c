#include "class_leaderboard.h"
#include "allocate.h"
#include "class_summary.h"
#include "output.h"

#include <stdlib.h>
#include <string.h>

struct place {
  const char *submission;
  const json_t *entry;
};

static const char *text(const json_t *from, const char *name) {
  const char *string = json_string_value(json_object_get(from, name));
  return string ? string : "";
}

static double value_of(const struct place *place) {
  return json_number_value(json_object_get(place->entry, "value"));
}

/* By item, then the best first, then by name. */
static int compare(const void *a, const void *b) {
  const struct place *x = a, *y = b;
  const int items = strcmp(text(x->entry, "item"), text(y->entry, "item"));
  const double better =
      strcmp(text(x->entry, "order"), "asc") == 0 ? value_of(x) - value_of(y) : value_of(y) - value_of(x);
  if (items)
    return items;
  return better < 0 ? -1 : better > 0 ? 1 : strcmp(x->submission, y->submission);
}

static struct place *collect(int count, json_t *const *results, size_t *places) {
  struct place *list = NULL;
  size_t n, size = 0;
  json_t *entry;
  for (int k = 0; k < count; k++)
    size += json_array_size(json_object_get(results[k], "leaderboard"));
  list = allocate_zeroed(size + 1, sizeof *list);
  *places = 0;
  for (int k = 0; k < count; k++)
    json_array_foreach(json_object_get(results[k], "leaderboard"), n, entry)
      list[(*places)++] = (struct place){text(json_object_get(results[k], "submission"), "name"), entry};
  qsort(list, *places, sizeof *list, compare);
  return list;
}

static bool is_same(const struct place *a, const struct place *b) {
  return strcmp(text(a->entry, "item"), text(b->entry, "item")) == 0;
}

bool class_leaderboard_write(const char *path, int count, json_t *const *results, struct error *error) {
  struct output out;
  size_t places;
  if (!output_open(&out, path, error))
    return false;
  struct place *list = collect(count, results, &places);
  fputs("item,title,rank,submission,value,unit\n", out.stream);
  for (size_t n = 0, first = 0, rank = 1; n < places; n++) {
    if (n == 0 || !is_same(&list[n], &list[n - 1]))
      first = n;
    if (n == first || value_of(&list[n]) < value_of(&list[n - 1]) ||
        value_of(&list[n]) > value_of(&list[n - 1]))
      rank = n - first + 1;
    fprintf(out.stream, "%s,", text(list[n].entry, "item"));
    class_summary_put_text(out.stream, text(list[n].entry, "title"));
    fprintf(out.stream, ",%zu,", rank);
    class_summary_put_text(out.stream, list[n].submission);
    fprintf(out.stream, ",%.6g,", value_of(&list[n]));
    class_summary_put_text(out.stream, text(list[n].entry, "unit"));
    putc('\n', out.stream);
  }
  free(list);
  return output_commit_to_disk(&out, error);
}
