#include "failed_run.h"
#include "csv.h"
#include "error.h"
#include "npy.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WORDS = 32, TEXT = 1024, LAUNCHES = 3 };
enum { INPUT_MOST = 1 << 18 }; /* bytes of an input file that is kept */

/* A word on each line: tests run in processes of their own. The input files are kept beside. */
static const char last[] = "last_", finding[] = "finding_", words_name[] = "run.txt";
static const char *const input_names[] = {"u.npy", "f.npy"};
enum { INPUTS = sizeof input_names / sizeof *input_names };

static const char *place(const char *which, const char *name) {
  static char path[64];
  snprintf(path, sizeof path, "%s%s", which, name);
  return path;
}

static bool is_input(const char *option) { return strcmp(option, "--u") == 0 || strcmp(option, "--f") == 0; }

static int number_after(const char *const *arguments, const char *option) {
  for (; arguments[0] && arguments[1]; arguments++)
    if (strcmp(arguments[0], option) == 0)
      return atoi(arguments[1]);
  return 0;
}

bool failed_run_grid(const char *const *arguments, int *nx, int *ny) {
  struct error ignored;
  struct npy array;
  *nx = number_after(arguments, "--nx");
  *ny = number_after(arguments, "--ny");
  *ny = *ny ? *ny : *nx;
  for (const char *const *word = arguments; word[0] && word[1]; word++)
    if (is_input(word[0]) && npy_read_any(word[1], &array, &ignored)) {
      if (array.rank == 2) {
        *ny = (int)array.shape[0];
        *nx = (int)array.shape[1];
      }
      npy_free(&array);
    }
  return *nx > 0;
}

double failed_run_points(const char *const *arguments) {
  int nx, ny;
  if (failed_run_grid(arguments, &nx, &ny))
    return (double)nx * ny;
  return (double)number_after(arguments, "--m") * number_after(arguments, "--n") *
         number_after(arguments, "--k");
}

/* Options that a student need not type: files, and values that the program takes anyway. */
static bool is_left_out(const char *option, const char *value) {
  static const char *const defaults[][2] = {
      {"--calls", "1"}, {"--inv-h2", "0"}, {"--kappa", "0"}, {"--earlier", "0"}, {"--colour", "both"}};
  for (size_t n = 0; n < sizeof defaults / sizeof *defaults; n++)
    if (strcmp(option, defaults[n][0]) == 0 && strcmp(value, defaults[n][1]) == 0)
      return true;
  return is_input(option) || strcmp(option, "--out") == 0 || strcmp(option, "--matrix") == 0 ||
         strcmp(option, "--csv") == 0;
}

/* A copy of a file that is not large; none otherwise. False: it cannot be written. */
static bool copy_small(const char *from, const char *to) {
  static char bytes[INPUT_MOST];
  FILE *source = fopen(from, "rb");
  const size_t length = source ? fread(bytes, 1, sizeof bytes, source) : 0;
  if (source)
    fclose(source);
  unlink(to);
  if (length == 0 || length == sizeof bytes)
    return true;
  FILE *target = fopen(to, "wb");
  const bool written = target && fwrite(bytes, 1, length, target) == length;
  return target && fclose(target) == 0 && written;
}

static void keep_inputs(const char *which, const char *const *arguments) {
  for (int n = 0; n < INPUTS; n++) {
    const char *from = "";
    for (const char *const *word = arguments; word[0] && word[1]; word++)
      if (is_input(word[0]) && strcmp(word[1], input_names[n]) == 0)
        from = word[1];
    if (!copy_small(from, place(which, input_names[n])))
      error_die("%s: cannot write: %s", place(which, input_names[n]), strerror(errno));
  }
}

/* Each option of a run has a value, except --heap. */
static void keep(const char *which, const char *const *arguments) {
  int nx, ny;
  bool has_grid = false;
  keep_inputs(which, arguments);
  const char *path = place(which, words_name);
  if (number_after(arguments, "--far") > 0) { /* no student has such memory */
    unlink(path);
    return;
  }
  FILE *file = fopen(path, "w");
  if (!file)
    error_die("%s: cannot write: %s", path, strerror(errno));
  for (const char *const *word = arguments; *word; word++) {
    const bool is_option = strncmp(*word, "--", 2) == 0 && word[1] && strcmp(*word, "--heap") != 0;
    has_grid |= strcmp(*word, "--nx") == 0;
    if (!is_option || !is_left_out(word[0], word[1]))
      fprintf(file, "%s\n", *word);
    else
      word++;
  }
  if (!has_grid && failed_run_grid(arguments, &nx, &ny))
    fprintf(file, "--nx\n%d\n--ny\n%d\n", nx, ny);
  if (fclose(file) != 0)
    error_die("%s: cannot write: %s", path, strerror(errno));
}

void failed_run_keep(const char *const *arguments) { keep(last, arguments); }
void failed_run_keep_finding(const char *const *arguments) { keep(finding, arguments); }

static void use(const char *name) {
  char from[64];
  snprintf(from, sizeof from, "%s", place(finding, name));
  if (rename(from, place(last, name)) != 0 && errno != ENOENT)
    error_die("%s: cannot rename: %s", from, strerror(errno));
}

void failed_run_use_finding(void) {
  use(words_name);
  for (int n = 0; n < INPUTS; n++) {
    unlink(place(last, input_names[n]));
    use(input_names[n]);
  }
}

static char text_of_words[TEXT];

bool failed_run_arguments(const char *arguments[], size_t most) {
  FILE *file = fopen(place(last, words_name), "r");
  size_t count = 0;
  if (!file)
    return false;
  const size_t length = fread(text_of_words, 1, sizeof text_of_words - 1, file);
  fclose(file);
  text_of_words[length] = '\0';
  for (char *word = strtok(text_of_words, "\n"); word && count + 1 < most; word = strtok(NULL, "\n"))
    arguments[count++] = word;
  arguments[count] = NULL;
  return count > 0;
}

/* "results/01/naive_u.npy" of a path that a student need not type in full */
static const char *short_path(const char *path) {
  const char *found = strstr(path, "/results/");
  for (const char *next; found && (next = strstr(found + 1, "/results/"));)
    found = next;
  return found ? found + 1 : path;
}

/* Copies the kept inputs to the folder, and names them in the command. True if there is one. */
static bool add_inputs(const char *test, const char *folder, char *text, size_t size) {
  const char *slash = strchr(test, '/');
  bool added = false;
  mkdir(folder, 0777);
  for (int n = 0; n < INPUTS; n++) {
    char to[PATH_MAX];
    const size_t used = strlen(text);
    snprintf(to, sizeof to, "%s/%s_%s", folder, slash ? slash + 1 : test, input_names[n]);
    if (access(place(last, input_names[n]), R_OK) != 0 || !copy_small(place(last, input_names[n]), to) ||
        used >= size)
      continue;
    snprintf(text + used, size - used, " --%.1s %s", input_names[n], short_path(to));
    added = true;
  }
  return added;
}

bool failed_run_command(const char *test, const char *folder, char *text, size_t size) {
  const char *arguments[WORDS];
  char inputs[PATH_MAX + 256] = "";
  text[0] = '\0';
  if (!failed_run_arguments(arguments, WORDS))
    return false;
  const bool has_inputs = folder[0] && add_inputs(test, folder, inputs, sizeof inputs);
  size_t used = (size_t)snprintf(text, size, "./kit lab %.2s", test);
  for (int n = 0; arguments[n] && used < size; n++)
    if (has_inputs && (strcmp(arguments[n], "--nx") == 0 || strcmp(arguments[n], "--ny") == 0))
      n++;
    else
      used += (size_t)snprintf(text + used, size - used, " %s", arguments[n]);
  if (used < size)
    snprintf(text + used, size - used, "%s", inputs);
  return has_inputs;
}

/* --- launches --- */

static const char covering[] = ", enough for all of them",
                  exchanged[] = ": are blocks and threads exchanged?";

struct extent {
  unsigned x, y, z;
};

static struct extent extent_of(const char *text) {
  struct extent e = {1, 1, 1};
  sscanf(text, "%ux%ux%u", &e.x, &e.y, &e.z);
  return e;
}

static double volume(struct extent e) { return (double)e.x * e.y * e.z; }

/* "32 x 8" or, without sides of 1 at the end, "64" */
static void print_extent(struct extent e, char text[48]) {
  if (e.z > 1)
    snprintf(text, 48, "%u x %u x %u", e.x, e.y, e.z);
  else if (e.y > 1)
    snprintf(text, 48, "%u x %u", e.x, e.y);
  else
    snprintf(text, 48, "%u", e.x);
}

/* Blocks of less than a warp, where the grid would make a usual block: a warp, or a multiple of two. */
static bool are_exchanged(struct extent grid, struct extent block) {
  enum { WARP = 32, MOST = 1024 };
  return volume(block) < WARP && (volume(grid) == WARP || volume(grid) >= 2 * WARP) && volume(grid) <= MOST &&
         grid.z == 1 && grid.x % 2 == 0;
}

/* "naive_kernel" of "void naive_kernel<true>(int)" */
static void name_of(const char *kernel, char *name, size_t size) {
  const char *end = kernel + strcspn(kernel, "(<"), *start = end;
  while (start > kernel && start[-1] != ' ')
    start--;
  snprintf(name, size, "%.*s", (int)(end - start), start);
}

static size_t describe_launch(const char *test, const char *kernel, struct extent grid, struct extent block,
                              char *text, size_t size) {
  const bool is_half = strncmp(test, "03/", 3) == 0,
             is_walk = strcmp(test, "03/walk") == 0; /* of given blocks */
  const char *arguments[WORDS];
  char name[128], blocks[48], threads[48];
  int nx = 0, ny = 0;
  name_of(kernel, name, sizeof name);
  print_extent(grid, blocks);
  print_extent(block, threads);
  const bool has_grid = failed_run_arguments(arguments, WORDS) && failed_run_grid(arguments, &nx, &ny);
  nx = is_half ? (nx + 1) / 2 : nx;
  size_t used = (size_t)snprintf(text, size, "\nthe run launches %s with %s block%s of %s thread%s", name,
                                 blocks, volume(grid) > 1 ? "s" : "", threads, volume(block) > 1 ? "s" : "");
  if (are_exchanged(grid, block))
    used += (size_t)snprintf(text + used, size - used, "%s", exchanged);
  else if (has_grid && !is_walk && (grid.y > 1 || block.y > 1))
    used += (size_t)snprintf(text + used, size - used, ": %u x %u threads for %d x %d points%s%s",
                             grid.x * block.x, grid.y * block.y, nx, ny, is_half ? " of a colour" : "",
                             grid.x * block.x >= (unsigned)nx && grid.y * block.y >= (unsigned)ny ? covering
                                                                                                  : "");
  return used;
}

void failed_run_launches(const char *test, const char *counters, char *text, size_t size) {
  struct csv launches;
  char known[LAUNCHES][256];
  int count = 0;
  size_t used = strlen(text);
  if (csv_open(&launches, counters))
    while (count < LAUNCHES && used + 400 < size && csv_next(&launches)) {
      char row[256];
      bool is_new = true;
      snprintf(row, sizeof row, "%s %s %s", csv_text(&launches, "kernel"), csv_text(&launches, "grid"),
               csv_text(&launches, "block"));
      for (int n = 0; n < count; n++)
        is_new &= strcmp(known[n], row) != 0;
      if (!is_new)
        continue;
      strcpy(known[count++], row);
      used += describe_launch(test, csv_text(&launches, "kernel"), extent_of(csv_text(&launches, "grid")),
                              extent_of(csv_text(&launches, "block")), text + used, size - used);
    }
  csv_close(&launches);
}

/* True if the words are there. */
static bool replace(char *message, size_t size, const char *words, const char *other) {
  char rest[8192];
  char *found = strstr(message, words);
  if (!found)
    return false;
  snprintf(rest, sizeof rest, "%s", found + strlen(words));
  snprintf(found, size - (size_t)(found - message), "%s%s", other, rest);
  return true;
}

bool failed_run_explain(const char *launches, char *message, size_t size) {
  static const char more_blocks[] = "are there enough blocks?", never[] = "were never written\n",
                    not_written[] = "were not written\n", read[] = "were not written, and others read them\n";
  if (strstr(launches, exchanged))
    return true;
  if (strstr(message, "values are wrong, everywhere") && strstr(launches, covering) &&
      replace(
          message, size, never,
          "were never written: does a thread reach the store, and are the arrays of a call in the right order?\n"))
    return true;
  if (!strstr(launches, covering))
    return strstr(message, more_blocks) || strstr(message, never) || strstr(message, not_written) ||
           strstr(message, read) || strstr(message, "has not been written") ||
           strstr(message, "was never written") ||
           (strstr(message, "out-of-bounds") && !strstr(launches, " points"));
  return replace(
             message, size, more_blocks,
             "there are enough blocks: do the indices use blockIdx, threadIdx and the block's size? Where does the "
             "condition end?") ||
         replace(
             message, size, never,
             "were never written, although there are enough blocks: look at the indices and the conditions\n") ||
         replace(
             message, size, read,
             "were not written, although there are enough blocks, and others read them: look at the indices and the "
             "conditions\n") ||
         replace(
             message, size, not_written,
             "were not written, although there are enough blocks: look at the indices and the conditions\n");
}
