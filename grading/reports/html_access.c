/* Pictures of a warp's requests. The data comes from a submission, so nothing here trusts a type, a number
 * or a length. */
#include "html_access.h"
#include "html_text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 32, WORDS = 8, SECTOR = 32, BANKS = 32, ROW_SECTORS = 16, MOST_SECTORS = 64 };
enum { PIXELS_SECTOR = 44, PIXELS_ROW = 20, PIXELS_BANK = 14, PIXELS_WORD = 8 };

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

/* Distinct sectors in ascending order, the first ones if there is not room for all. */
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

/* The words of a sector that lanes request, in the colour of the lowest lane. */
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

/* The distinct words that lanes request from each bank of shared memory, each with one of its lanes. */
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

json_t *html_access(const json_t *access) {
  struct request request;
  const char *space = json_string_value(json_object_get(access, "space"));
  if (!read_request(access, &request))
    return NULL;
  const bool shared = space && strcmp(space, "shared") == 0;
  return json_pack("{s:I, s:o, s:I, s:I, s:o}", "line", json_integer_value(json_object_get(access, "line")),
                   "operation", html_text_of(access, "operation"), "bytes", (json_int_t)request.bytes, "cost",
                   json_integer_value(json_object_get(access, "cost")), shared ? "banks" : "sectors",
                   shared ? banks_members(&request) : sectors_members(&request));
}
