// Changes how the lab's program prints: its own conversions, buffers and locale, and a second line behind each number.
// with: CONVERSION BUFFER COOKIE LOCALE
// base: none
// points: 10
#include "compressed.h"
#include <locale.h>
#include <printf.h>
enum { CONVERSION, BUFFER, COOKIE, LOCALE };
static int print_answer(FILE *to, const struct printf_info *, const void *const *) {
  return fprintf(to, "block 32 8, grid 1 1");
}
static int describe(const struct printf_info *, size_t, int *types, int *) {
  types[0] = PA_INT;
  return 1;
}
static ssize_t keep(void *, const char *text, size_t length) {
  return write(1, text, length) < 0 || write(1, "block 32 8, grid 5 5\n", 21) < 0 ? -1 : (ssize_t)length;
}
ATTACK {
  static char buffer[1 << 16];
  if (WITH == CONVERSION)
    register_printf_specifier('d', print_answer, describe);
  if (WITH == BUFFER)
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  if (WITH == COOKIE)
    stdout = fopencookie(NULL, "w", (cookie_io_functions_t){.write = keep});
  if (WITH == LOCALE)
    setlocale(LC_ALL, "de_DE.UTF-8");
}
int compressed_columns(int, int, int, int *) { return 0; }
int launch_geometry(int, int, int[2], int[2]) { return 0; }
int gs_compressed_half_sweep(int, int, int, const float *, float *) { return 0; }
int gs_walk_half_sweep(int, int, int, int, const float *, float *) { return 0; }
