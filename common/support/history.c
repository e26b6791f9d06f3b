#include "history.h"
#include "progress.h"

struct history history_open(const char *path) {
  struct history history = {0};
  struct error error;
  if (!path)
    return history;
  if (!output_open(&history.csv, path, &error))
    error_die("%s", error.text);
  fputs("method,iteration,relative_residual\n", history.csv.stream);
  return history;
}

void history_add(struct history *history, const char *method, int iteration, double relative_residual) {
  progress_show("%s: iteration %d, relative residual %.2e", method, iteration, relative_residual);
  if (history->csv.stream)
    fprintf(history->csv.stream, "%s,%d,%.17g\n", method, iteration, relative_residual);
}

void history_close(struct history *history) {
  struct error error;
  progress_clear();
  if (history->csv.stream && !output_commit(&history->csv, &error))
    error_die("%s", error.text);
}
