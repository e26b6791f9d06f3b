#include "progress.h"
#include "timing.h"
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

static const double interval_s = 0.1;
static double shown_at;
static bool shown;

void progress_show(const char *format, ...) {
  const double now = timing_now();
  if (now - shown_at < interval_s || !isatty(STDERR_FILENO))
    return;
  va_list values;
  va_start(values, format);
  fputs("\r\033[K", stderr); /* to the first column, erase */
  vfprintf(stderr, format, values);
  va_end(values);
  fflush(stderr);
  shown_at = now;
  shown = true;
}

void progress_clear(void) {
  if (shown)
    fputs("\r\033[K", stderr);
  shown = false;
}
