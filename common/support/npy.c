#include "npy.h"
#include "allocate.h"
#include "output.h"
#include "plural.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "data is copied between file and memory without conversion");

static const char MAGIC[6] = "\x93NUMPY";

static const struct {
  const char *descr, *name;
  size_t size;
} types[] = {
    [NPY_FLOAT32] = {"<f4", "float32", 4},
    [NPY_FLOAT64] = {"<f8", "float64", 8},
    [NPY_INT32] = {"<i4", "int32", 4},
    [NPY_INT64] = {"<i8", "int64", 8},
};
enum { TYPE_COUNT = sizeof types / sizeof *types };

enum { HEADER_MAX = 4096 }; /* our headers have 128 bytes; NumPy also rejects long ones */

size_t npy_element_size(enum npy_type type) { return types[type].size; }

size_t npy_count(const struct npy *array) {
  return array->shape[0] * array->shape[1] * (array->rank == 3 ? array->shape[2] : 1);
}

void npy_free(struct npy *array) {
  free(array->data);
  *array = (struct npy){0};
}

/* An open file, its remaining bytes, and the error to fill. */
struct source {
  const char *path;
  int file;
  uint64_t left; /* bytes not read yet */
  struct error *error;
};

/* Fills file and left. */
static bool open_source(struct source *source) {
  struct stat status;
  /* O_NONBLOCK: a pipe without a writer must not block the program. */
  source->file = open(source->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (source->file < 0)
    return error_set(source->error, "%s: cannot open: %s", source->path, strerror(errno));
  if (fstat(source->file, &status) != 0 || !S_ISREG(status.st_mode)) {
    close(source->file);
    return error_set(source->error, "%s: not a regular file: expected a .npy file", source->path);
  }
  source->left = (uint64_t)status.st_size;
  return true;
}

static bool read_bytes(struct source *source, void *to, size_t size) {
  char *at = to;
  for (size_t wanted = size; wanted;) {
    ssize_t got = read(source->file, at, wanted);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return error_set(source->error, "%s: cannot read: %s", source->path, strerror(errno));
    if (got == 0)
      return error_set(source->error, "%s: truncated: %zu byte%s missing", source->path, wanted,
                       PLURAL(wanted));
    at += got;
    wanted -= (size_t)got;
  }
  source->left -= size < source->left ? size : source->left;
  return true;
}

/* header: a string without the preamble. */
static bool read_header(struct source *source, char header[HEADER_MAX + 1]) {
  unsigned char preamble[sizeof MAGIC + 2], length[4] = {0};
  if (source->left < sizeof preamble)
    return error_set(source->error, "%s: not a .npy file: only %" PRIu64 " bytes", source->path,
                     source->left);
  if (!read_bytes(source, preamble, sizeof preamble))
    return false;
  if (memcmp(preamble, MAGIC, sizeof MAGIC) != 0)
    return error_set(source->error, "%s: not a .npy file: it does not start with \\x93NUMPY", source->path);
  int major = preamble[sizeof MAGIC], minor = preamble[sizeof MAGIC + 1];
  if ((major != 1 && major != 2) || minor != 0)
    return error_set(source->error, "%s: .npy version %d.%d: expected 1.0 or 2.0", source->path, major,
                     minor);
  if (!read_bytes(source, length, major == 1 ? 2 : 4))
    return false;
  size_t size = length[0] | (size_t)length[1] << 8 | (size_t)length[2] << 16 | (size_t)length[3] << 24;
  if (size > HEADER_MAX)
    return error_set(source->error, "%s: header of %zu bytes: expected at most %d", source->path, size,
                     HEADER_MAX);
  if (!read_bytes(source, header, size))
    return false;
  header[size] = '\0';
  if (strlen(header) != size || size == 0 || header[size - 1] != '\n')
    return error_set(source->error, "%s: malformed header: expected text that ends in a newline",
                     source->path);
  return true;
}

static void skip_spaces(const char **at) { *at += strspn(*at, " "); }

static bool accept(const char **at, const char *token) {
  skip_spaces(at);
  size_t length = strlen(token);
  if (strncmp(*at, token, length) != 0)
    return false;
  *at += length;
  return true;
}

/* string = "'" any text without quotes or backslash "'" (or in double quotes) */
static bool parse_string(const char **at, char *text, size_t size) {
  skip_spaces(at);
  char quote = **at;
  if (quote != '\'' && quote != '"')
    return false;
  size_t length = strcspn(*at + 1, "'\"\\\n");
  if ((*at)[1 + length] != quote || length >= size)
    return false;
  memcpy(text, *at + 1, length);
  text[length] = '\0';
  *at += length + 2;
  return true;
}

static bool parse_extent(const char **at, size_t *extent) {
  skip_spaces(at);
  if (**at < '0' || **at > '9')
    return false;
  errno = 0;
  char *end;
  unsigned long long value = strtoull(*at, &end, 10);
  *at = end;
  *extent = (size_t)value;
  return errno == 0 && value <= SIZE_MAX;
}

/* shape = "(" extent "," ")" | "(" extent "," extent ","? ")" */
static bool parse_shape(const char **at, struct npy *array) {
  array->shape[1] = 1;
  if (!accept(at, "(") || !parse_extent(at, &array->shape[0]) || !accept(at, ","))
    return false;
  array->rank = 1;
  if (accept(at, ")"))
    return true;
  array->rank = 2;
  return parse_extent(at, &array->shape[1]) && (accept(at, ","), accept(at, ")"));
}

static bool parse_type(const struct source *source, const char *descr, enum npy_type *type) {
  for (int t = 0; t < TYPE_COUNT; t++)
    if (strcmp(descr, types[t].descr) == 0) {
      *type = (enum npy_type)t;
      return true;
    }
  return error_set(source->error, "%s: element type '%s': expected <f4, <f8, <i4 or <i8", source->path,
                   descr);
}

/* item = "'descr'" ":" string | "'fortran_order'" ":" "False" | "'shape'" ":" shape; sets its bit in seen */
static bool parse_item(const struct source *source, const char **at, struct npy *array, unsigned *seen) {
  char key[16], descr[32];
  unsigned bit = 0;
  if (!parse_string(at, key, sizeof key) || !accept(at, ":"))
    return error_set(source->error, "%s: malformed header: expected a key and a colon", source->path);
  if (strcmp(key, "descr") == 0) {
    bit = 1;
    if (!parse_string(at, descr, sizeof descr))
      return error_set(source->error, "%s: malformed descr: expected <f4, <f8, <i4 or <i8", source->path);
    if (!parse_type(source, descr, &array->type))
      return false;
  } else if (strcmp(key, "fortran_order") == 0) {
    bit = 2;
    if (!accept(at, "False"))
      return error_set(source->error, "%s: fortran_order is not False: expected row-major data",
                       source->path);
  } else if (strcmp(key, "shape") == 0) {
    bit = 4;
    if (!parse_shape(at, array))
      return error_set(source->error, "%s: bad shape: expected one or two sizes, each at least 0",
                       source->path);
  }
  if (bit == 0 || (*seen & bit))
    return error_set(source->error, "%s: malformed header: %s key '%s'", source->path,
                     bit ? "duplicate" : "unknown", key);
  *seen |= bit;
  return true;
}

/* header = "{" item ("," item)* ","? "}" spaces newline */
static bool parse_header(const struct source *source, const char *header, struct npy *array) {
  const char *at = header;
  unsigned seen = 0;
  if (!accept(&at, "{"))
    return error_set(source->error, "%s: malformed header: expected {", source->path);
  while (!accept(&at, "}")) {
    if (!parse_item(source, &at, array, &seen))
      return false;
    if (!accept(&at, ",")) {
      if (accept(&at, "}"))
        break;
      return error_set(source->error, "%s: malformed header: expected , or }", source->path);
    }
  }
  skip_spaces(&at);
  if (strcmp(at, "\n") != 0)
    return error_set(source->error, "%s: malformed header: text after }", source->path);
  if (seen != 7)
    return error_set(source->error, "%s: malformed header: expected descr, fortran_order and shape",
                     source->path);
  return true;
}

static bool check_size(const struct source *source, const struct npy *array) {
  size_t count, bytes;
  if (__builtin_mul_overflow(array->shape[0], array->shape[1], &count) ||
      __builtin_mul_overflow(count, types[array->type].size, &bytes))
    return error_set(source->error, "%s: shape (%zu, %zu): too large", source->path, array->shape[0],
                     array->shape[1]);
  if (bytes > source->left)
    return error_set(source->error, "%s: truncated: expected %zu bytes of data, found %" PRIu64, source->path,
                     bytes, source->left);
  if (bytes < source->left)
    return error_set(source->error, "%s: trailing bytes: expected %zu bytes of data, found %" PRIu64,
                     source->path, bytes, source->left);
  return true;
}

static bool read_data(struct source *source, struct npy *array) {
  size_t bytes = npy_count(array) * types[array->type].size;
  array->data = malloc(bytes ? bytes : 1);
  if (!array->data)
    return error_set(source->error, "%s: out of memory: %zu bytes", source->path, bytes);
  if (read_bytes(source, array->data, bytes))
    return true;
  npy_free(array);
  return false;
}

bool npy_read_any(const char *path, struct npy *array, struct error *error) {
  struct source source = {.path = path, .error = error};
  char header[HEADER_MAX + 1];
  *array = (struct npy){0};
  if (!open_source(&source))
    return false;
  bool done = read_header(&source, header) && parse_header(&source, header, array) &&
              check_size(&source, array) && read_data(&source, array);
  close(source.file);
  return done;
}

bool npy_read(const char *path, enum npy_type type, int rank, struct npy *array, struct error *error) {
  if (!npy_read_any(path, array, error))
    return false;
  if (array->type != type)
    error_set(error, "%s: element type %s: expected %s", path, types[array->type].name, types[type].name);
  else if (array->rank != rank)
    error_set(error, "%s: array of %d dimension%s: expected %d", path, array->rank, PLURAL(array->rank),
              rank);
  else
    return true;
  npy_free(array);
  return false;
}

bool npy_write(const char *path, const struct npy *array, struct error *error) {
  char shape[72], header[256];
  struct output output;
  if (array->rank == 1)
    snprintf(shape, sizeof shape, "(%zu,)", array->shape[0]);
  else if (array->rank == 2)
    snprintf(shape, sizeof shape, "(%zu, %zu)", array->shape[0], array->shape[1]);
  else
    snprintf(shape, sizeof shape, "(%zu, %zu, %zu)", array->shape[0], array->shape[1], array->shape[2]);
  int length = snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }",
                        types[array->type].descr, shape);
  /* Magic, version, length, header and newline fill a multiple of 64 bytes. */
  int preamble = sizeof MAGIC + 4;
  int padded = (preamble + length + 1 + 63) / 64 * 64 - preamble;
  if (!output_open(&output, path, error))
    return false;
  fwrite(MAGIC, 1, sizeof MAGIC, output.stream);
  fwrite((unsigned char[]){1, 0, padded & 255, padded >> 8}, 1, 4, output.stream);
  fprintf(output.stream, "%-*s\n", padded - 1, header);
  if (npy_count(array) > 0) /* an empty array may have no data */
    fwrite(array->data, types[array->type].size, npy_count(array), output.stream);
  return output_commit(&output, error);
}

static double element(const struct npy *array, size_t k) {
  if (array->type == NPY_FLOAT32)
    return (double)((const float *)array->data)[k];
  return array->type == NPY_FLOAT64 ? ((const double *)array->data)[k] : 0;
}

bool npy_check_finite(const char *path, const struct npy *array, struct error *error) {
  for (size_t k = 0; k < npy_count(array); k++)
    if (!isfinite(element(array, k))) {
      size_t row = k / array->shape[1], column = k % array->shape[1];
      return error_set(error, "%s: element (%zu, %zu) is %g: expected finite values", path, row, column,
                       element(array, k));
    }
  return true;
}

void npy_save(const char *path, enum npy_type type, size_t rows, size_t columns, const void *values) {
  struct error error;
  const struct npy array = {
      .type = type, .rank = 2, .shape = {rows, columns}, .data = (void *)(uintptr_t)values};
  if (path && !npy_write(path, &array, &error))
    error_die("%s", error.text);
}
