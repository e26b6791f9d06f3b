/* splice SOLUTION.cu MUTANT.cu OUT.cu [PART …]: writes the solution with a mutant's blocks instead of its own. With
 * PARTs, it replaces only the blocks of these parts; so a skeleton can get some blocks of a solution.
 *
 * A mutant file holds blocks, each from a line // TODO(n): … to // END(n). The first line says which block of the
 * solution it replaces. A block that begins with // INSTEAD OF: LINE replaces that one line of the solution, which
 * must be unique. After a line // WITH HEADERS the text of the headers in labs/LAB, except the contract's, takes the
 * place of the solution's #include lines, so blocks can replace their lines, too. Other lines outside blocks are
 * comments for the reader. */
#include "allocate.h"
#include "blocks.h"
#include "error.h"
#include "output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_MAX_LENGTH = 1024, BLOCKS_MAX = 32, HEADERS_MAX = 16 };

struct block {
  char head[LINE_MAX_LENGTH]; /* the TODO line, without indentation */
  char *body;                 /* the lines that follow, up to END */
  bool used;
};

static const char *unindented(const char *line) { return line + strspn(line, " "); }
static const char instead[] = "// INSTEAD OF: ";
static bool is_instead(const char *line) { return strncmp(unindented(line), instead, strlen(instead)) == 0; }
static bool is_with_headers(const char *line) { return strcmp(line, "// WITH HEADERS\n") == 0; }
static bool is_head(const char *line) { return blocks_mark(line, "TODO") != 0; }
/* END(0) ends a block INSTEAD OF a line. */
static bool is_end(const char *line) { return strncmp(unindented(line), "// END(", 7) == 0; }

static FILE *open_or_die(const char *path) {
  FILE *stream = fopen(path, "r");
  if (!stream)
    error_die("%s: cannot open", path);
  return stream;
}

/* The lines up to END, which is consumed. The caller frees them. */
static char *read_body(FILE *stream, const char *path, const char *head) {
  char *body = NULL, line[LINE_MAX_LENGTH];
  size_t size;
  FILE *lines = open_memstream(&body, &size);
  while (fgets(line, sizeof line, stream)) {
    if (is_end(line)) {
      fclose(lines);
      return body;
    }
    fputs(line, lines);
  }
  error_die("%s: no END after: %s", path, head);
}

/* parts: numbers, NULL at the end; empty: all parts. */
static bool is_wanted(const char *head, char *const *parts) {
  const int part = blocks_mark(head, "TODO");
  bool wanted = !parts[0];
  for (; *parts; parts++)
    wanted |= atoi(*parts) == part;
  return wanted;
}

static int read_blocks(const char *path, char *const *parts, struct block *blocks, bool *with_headers) {
  char line[LINE_MAX_LENGTH];
  int count = 0;
  FILE *stream = open_or_die(path);
  while (fgets(line, sizeof line, stream)) {
    *with_headers |= is_with_headers(line);
    if (!is_instead(line) && !(is_head(line) && is_wanted(line, parts)))
      continue;
    if (count == BLOCKS_MAX)
      error_die("%s: more than %d blocks", path, BLOCKS_MAX);
    strcpy(blocks[count].head, unindented(line) + (is_instead(line) ? strlen(instead) : 0));
    blocks[count].body = read_body(stream, path, line);
    count++;
  }
  fclose(stream);
  if (count == 0)
    error_die("%s: no block from TODO to END", path);
  return count;
}

/* The first unused block with this head; if all are used, the last one. */
static struct block *find_block(int count, struct block *blocks, const char *head) {
  struct block *found = NULL;
  for (int n = 0; n < count && (!found || found->used); n++)
    if (strcmp(blocks[n].head, unindented(head)) == 0)
      found = &blocks[n];
  return found;
}

static void use_block(struct block *block, const char *path, FILE *out) {
  if (block->used)
    error_die("%s: two places begin with: %s", path, block->head);
  block->used = true;
  fputs(block->body, out);
}

/* The headers whose text was written: each takes the place of its first #include line. */
struct headers {
  char folder[LINE_MAX_LENGTH], contract[LINE_MAX_LENGTH]; /* of the lab; its own name and .h */
  char seen[HEADERS_MAX][LINE_MAX_LENGTH];
  int count;
};

/* solution: …/solutions/LAB/NAME.cu. */
static void find_headers(const char *solution, struct headers *headers) {
  char lab[LINE_MAX_LENGTH];
  const char *name = strrchr(solution, '/');
  if (!name || strlen(solution) + 32 > sizeof lab)
    error_die("%s: expected FOLDER/solutions/LAB/NAME.cu", solution);
  snprintf(headers->contract, sizeof headers->contract, "%.*s.h", (int)strcspn(name + 1, "."), name + 1);
  snprintf(lab, sizeof lab, "%.*s", (int)(name - solution), solution);
  snprintf(headers->folder, sizeof headers->folder, "%.400s/../../labs/%.100s", lab, strrchr(lab, '/') + 1);
}

/* The path of the header that this line includes, or NULL if it stays a line. A header that was written has
 * the path "". */
static const char *header_of(const char *line, struct headers *headers) {
  static char path[2 * LINE_MAX_LENGTH];
  char name[LINE_MAX_LENGTH];
  if (!headers || sscanf(line, "#include \"%1000[^\"]\"", name) != 1 || strcmp(name, headers->contract) == 0)
    return NULL;
  for (int n = 0; n < headers->count; n++)
    if (strcmp(headers->seen[n], name) == 0)
      return "";
  snprintf(path, sizeof path, "%s/%s", headers->folder, name);
  if (access(path, R_OK) != 0)
    return NULL;
  if (headers->count == HEADERS_MAX)
    error_die("%s: more than %d headers", headers->folder, HEADERS_MAX);
  strcpy(headers->seen[headers->count++], name);
  return path;
}

static void write_block(const char *path, const char *line, struct block *block, FILE *stream, FILE *out) {
  char *own = is_head(line) ? read_body(stream, path, line) : NULL;
  if (own && strcmp(own, block->body) == 0)
    error_die("%s: the mutant's block is the same: %s", path, line);
  free(own);
  use_block(block, path, out);
}

/* headers: NULL without them. */
static void write_spliced(const char *path, int count, struct block *blocks, struct headers *headers,
                          FILE *out) {
  char line[LINE_MAX_LENGTH];
  FILE *stream = open_or_die(path);
  while (fgets(line, sizeof line, stream)) {
    struct block *block = find_block(count, blocks, line);
    const char *header = block ? NULL : header_of(line, headers);
    if (header && *header)
      write_spliced(header, count, blocks, headers, out);
    if (!header && (!block || is_head(line)) && strcmp(line, "#pragma once\n") != 0)
      fputs(line, out);
    if (block)
      write_block(path, line, block, stream, out);
  }
  fclose(stream);
}

int main(int argc, char **argv) {
  if (argc < 4)
    error_die("expected SOLUTION.cu MUTANT.cu OUT.cu [PART ...]");
  static struct block blocks[BLOCKS_MAX];
  static struct headers headers;
  struct output out;
  struct error error;
  bool with_headers = false;
  const int count = read_blocks(argv[2], argv + 4, blocks, &with_headers);
  if (with_headers)
    find_headers(argv[1], &headers);
  if (!output_open(&out, argv[3], &error))
    error_die("%s", error.text);
  write_spliced(argv[1], count, blocks, with_headers ? &headers : NULL, out.stream);
  for (int n = 0; n < count; n++) {
    if (!blocks[n].used)
      error_die("%s: no block in %s begins with: %s", argv[2], argv[1], blocks[n].head);
    free(blocks[n].body);
  }
  if (!output_commit(&out, &error))
    error_die("%s", error.text);
  return 0;
}
