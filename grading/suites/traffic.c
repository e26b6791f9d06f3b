#include "traffic.h"
#include "csv.h"
#include "digest.h"
#include "error.h"
#include "lab_checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ARGUMENTS = 32, WORD = sizeof(uint32_t) };
/* Words of tables, pointers and parameters that a program may send, in all and for each launch. Launches beyond a part of
 * the input allow nothing more: each could carry a part of a result. */
enum { SENT = 1024, SENT_PER_LAUNCH = 64, SENT_BY_LAUNCHES = 32768, PART = 8 };

static const char variable[] = "SIMGPU_TRAFFIC", report_path[] = "traffic.csv";
static const char *names[ARGUMENTS]; /* of the run's files, which may be inputs; NULL at the end */

static bool is_simulated; /* otherwise nothing is reported, and the checks pass */

void traffic_begin(bool simulated, const char *const *arguments) {
  is_simulated = simulated;
  int count = 0;
  for (; *arguments; arguments++) {
    const size_t length = strlen(*arguments);
    if (length > 4 && strcmp(*arguments + length - 4, ".npy") == 0 && count < ARGUMENTS - 1)
      names[count++] = *arguments;
  }
  names[count] = NULL;
  unlink(report_path);
  setenv(variable, report_path, 1);
}

void traffic_end(void) { unsetenv(variable); }

/* A row of the device's report. */
struct copy {
  bool to_host;
  struct digest digest;
  uint64_t others; /* words that no kernel was the last to write */
};

static struct csv open_report(void) {
  struct csv csv;
  if (!csv_open(&csv, report_path))
    error_die("the simulated GPU wrote no %s", report_path); /* INFRA: its run has succeeded */
  return csv;
}

static uint64_t number(struct csv *csv, const char *column, int base) {
  return strtoull(csv_text(csv, column), NULL, base);
}

/* What is no copy: their number if this is known by now. */
struct commands {
  uint64_t launches, words; /* words of their parameters, of fills, of copies on the device */
};

/* False at the end. */
static bool next_copy(struct csv *csv, struct copy *copy, struct commands *commands) {
  while (csv_next(csv)) {
    const char *what = csv_text(csv, "copy");
    uint64_t *count = strcmp(what, "launches") == 0   ? &commands->launches
                      : strcmp(what, "commands") == 0 ? &commands->words
                                                      : NULL;
    *copy = (struct copy){.to_host = strcmp(what, "to_host") == 0};
    copy->digest = (struct digest){number(csv, "words", 10), number(csv, "digest", 16)};
    copy->others = number(csv, "not_by_a_kernel", 10);
    if (!count)
      return true;
    *count = copy->digest.words;
  }
  return false;
}

static size_t bytes_of(const struct npy *array) { return npy_count(array) * npy_element_size(array->type); }

static struct digest digest_of(const struct npy *array) {
  struct digest digest = {0, 0};
  digest_add(&digest, array->data, bytes_of(array));
  return digest;
}

static bool is_equal(struct digest a, struct digest b) { return a.words == b.words && a.sum == b.sum; }

/* The words that are not zero and equal those of an input at the same place; of several inputs, of the most equal
 * one. */
static uint64_t count_given(const char *path, const struct npy *output) {
  uint64_t most = 0;
  for (const char *const *name = names; *name; name++) {
    struct npy input;
    struct error error;
    uint64_t given = 0;
    if (strcmp(*name, path) == 0 || !npy_read_any(*name, &input, &error))
      continue;
    const char *a = input.data, *b = output->data;
    static const char zero[WORD];
    if (bytes_of(&input) == bytes_of(output))
      for (size_t at = 0; at + WORD <= bytes_of(output); at += WORD)
        given += memcmp(a + at, b + at, WORD) == 0 && memcmp(a + at, zero, WORD) != 0;
    npy_free(&input);
    most = given > most ? given : most;
  }
  return most;
}

void traffic_check_output(const char *path, const struct npy *output) {
  const struct digest expected = digest_of(output);
  uint64_t others = UINT64_MAX;
  struct commands commands;
  struct copy copy;
  if (!is_simulated || expected.words == 0)
    return;
  struct csv csv = open_report();
  while (next_copy(&csv, &copy, &commands))
    if (copy.to_host && is_equal(copy.digest, expected) && copy.others < others)
      others = copy.others;
  csv_close(&csv);
  if (others == UINT64_MAX)
    lab_checks_note(
        "%s: no copy from the device holds these values: was the result computed on the host, or does a "
        "kernel write to the padding?",
        path);
  else if (others > 0 && others > count_given(path, output))
    lab_checks_note("%s: no kernel wrote %llu of the %llu words: was the result computed on the host?", path,
                    (unsigned long long)others, (unsigned long long)expected.words);
}

/* The words that a program may send beside an input of so many words. */
static uint64_t most_sent(uint64_t launches, uint64_t input) {
  const uint64_t most = input / PART > SENT_BY_LAUNCHES ? input / PART : SENT_BY_LAUNCHES;
  return SENT + (SENT_PER_LAUNCH * launches < most ? SENT_PER_LAUNCH * launches : most);
}

void traffic_check_inputs(int count, const struct npy *inputs) {
  struct digest expected[8];
  bool found[8] = {false};
  uint64_t input = 0, sent = 0;
  struct commands commands = {0};
  struct copy copy;
  if (!is_simulated)
    return;
  for (int n = 0; n < count; n++)
    input += (expected[n] = digest_of(&inputs[n])).words;
  struct csv csv = open_report();
  while (next_copy(&csv, &copy, &commands)) {
    int n = 0;
    while (n < count && (found[n] || !is_equal(copy.digest, expected[n])))
      n++;
    if (copy.to_host)
      continue;
    if (n < count)
      found[n] = true;
    else
      sent += copy.digest.words;
  }
  csv_close(&csv);
  for (int n = 0; n < count; n++)
    if (!found[n] && expected[n].words > 0)
      lab_checks_note("the program's input did not reach the device: was the result computed on the host?");
  const uint64_t most = most_sent(commands.launches, input);
  sent += commands.words;
  if (sent > most)
    lab_checks_note(
        "the host sends %llu words to the device beside the program's input: expected at most %llu: was "
        "the result computed on the host?",
        (unsigned long long)sent, (unsigned long long)most);
}

void traffic_check_launches(double least) {
  struct commands commands = {0};
  struct copy copy;
  if (!is_simulated)
    return;
  struct csv csv = open_report();
  while (next_copy(&csv, &copy, &commands))
    ;
  csv_close(&csv);
  if ((double)commands.launches < least)
    lab_checks_note(
        "%llu kernels were launched: expected at least %.0f: was the result computed on the host?",
        (unsigned long long)commands.launches, least);
}
