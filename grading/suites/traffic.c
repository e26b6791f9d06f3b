#include "traffic.h"
#include "allocate.h"
#include "csv.h"
#include "digest.h"
#include "error.h"
#include "lab_checks.h"
#include "plural.h"

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum { ARGUMENTS = 32, WORD = sizeof(uint32_t) };
/* Words of tables, pointers and parameters that a program may send, in all and for each launch. Launches beyond a part
 * of the input allow nothing more: each could carry a part of a result. */
enum { SENT = 1024, SENT_PER_LAUNCH = 64, SENT_BY_LAUNCHES = 32768, PART = 8 };

static const char variable[] = "SIMGPU_TRAFFIC", key_variable[] = "SIMGPU_TRAFFIC_KEY",
                  report_path[] = "traffic.csv";
/* Of the digests: a program that knew it could send other words with the digest of an input. */
static uint64_t key;
static const char *names[ARGUMENTS]; /* of the run's files, which may be inputs; NULL at the end */

static bool is_simulated; /* otherwise nothing is reported, and the checks pass */

/* Not from the seed, which may be known: results show it. */
static void draw_key(void) {
  char text[32];
  if (getrandom(&key, sizeof key, 0) != sizeof key)
    error_die("no random number: %s", strerror(errno));
  key |= 1;
  snprintf(text, sizeof text, "%llu", (unsigned long long)key);
  setenv(key_variable, text, 1);
}

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
  draw_key();
}

void traffic_end(void) {
  unsetenv(variable);
  unsetenv(key_variable);
}

/* A row of the device's report. */
struct copy {
  bool to_host, is_found; /* is_found: it holds an input, or a part of one */
  struct digest digest;
  uint64_t others;         /* words that no kernel was the last to write */
  uint64_t place, carries; /* words that it can tell a kernel: simgpu/device/traffic.h */
};

struct report {
  struct copy *copies;
  size_t count;
  uint64_t launches, commands; /* commands: words of their parameters, of fills, of copies on the device */
};

static uint64_t number(struct csv *csv, const char *column, int base) {
  return strtoull(csv_text(csv, column), NULL, base);
}

static void report_reserve(struct report *report) {
  if ((report->count & (report->count - 1)) != 0) /* no power of two: there is room */
    return;
  struct copy *copies = allocate_zeroed(2 * report->count + 1, sizeof *copies);
  if (report->count > 0)
    memcpy(copies, report->copies, report->count * sizeof *copies);
  free(report->copies);
  report->copies = copies;
}

static void report_add(struct report *report, struct csv *csv) {
  const char *what = csv_text(csv, "copy");
  const struct copy copy = {.to_host = strcmp(what, "to_host") == 0,
                            .digest = {number(csv, "words", 10), number(csv, "digest", 16)},
                            .others = number(csv, "not_by_a_kernel", 10),
                            .place = number(csv, "place", 10),
                            .carries = number(csv, "carries", 10)};
  if (strcmp(what, "launches") == 0) {
    report->launches = copy.digest.words;
  } else if (strcmp(what, "commands") == 0) {
    report->commands = copy.digest.words;
  } else {
    report_reserve(report);
    report->copies[report->count++] = copy;
  }
}

/* The caller frees the copies. */
static struct report report_read(void) {
  struct report report = {0};
  struct csv csv;
  if (!csv_open(&csv, report_path))
    error_die("the simulated GPU wrote no %s", report_path); /* INFRA: its run has succeeded */
  while (csv_next(&csv))
    report_add(&report, &csv);
  csv_close(&csv);
  return report;
}

static bool is_equal(struct digest a, struct digest b) { return a.words == b.words && a.sum == b.sum; }

/* Copies in one direction, one after the other: a program may copy an array in parts. */
struct parts {
  size_t first, end;
  struct digest digest;
  uint64_t others;
};

/* The next parts that together hold these words. */
static bool next_parts(const struct report *report, bool to_host, struct digest expected, struct parts *p) {
  while (p->end < report->count) {
    const struct copy *copy = &report->copies[p->end++];
    if (copy->is_found)
      *p = (struct parts){p->end, p->end, {0, 0}, 0};
    if (copy->is_found || copy->to_host != to_host)
      continue;
    p->digest = (struct digest){p->digest.words + copy->digest.words, p->digest.sum + copy->digest.sum};
    p->others += copy->others;
    for (; p->digest.words > expected.words; p->first++) {
      copy = &report->copies[p->first];
      if (copy->to_host != to_host)
        continue;
      p->digest = (struct digest){p->digest.words - copy->digest.words, p->digest.sum - copy->digest.sum};
      p->others -= copy->others;
    }
    if (is_equal(p->digest, expected))
      return true;
  }
  return false;
}

static size_t bytes_of(const struct npy *array) { return npy_count(array) * npy_element_size(array->type); }

static struct digest digest_of(const struct npy *array) {
  struct digest digest = {0, 0};
  digest_add(&digest, key, array->data, bytes_of(array));
  return digest;
}

/* The words that are not zero and equal those of an input at the same place; of several inputs, of the
 * most equal one. */
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
  struct parts parts = {0};
  if (!is_simulated || expected.words == 0)
    return;
  struct report report = report_read();
  while (next_parts(&report, true, expected, &parts))
    others = parts.others < others ? parts.others : others;
  free(report.copies);
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

/* True if the host sent these words; then their copies count no more, except for the places that they go to. */
static bool find_input(struct report *report, struct digest expected) {
  struct parts parts = {0};
  if (!next_parts(report, false, expected, &parts))
    return false;
  for (size_t n = parts.first; n < parts.end; n++)
    report->copies[n].is_found |= !report->copies[n].to_host;
  return true;
}

void traffic_check_inputs(int count, const struct npy *inputs) {
  uint64_t input = 0, sent = 0;
  if (!is_simulated)
    return;
  struct report report = report_read();
  for (int n = 0; n < count; n++) {
    const struct digest expected = digest_of(&inputs[n]);
    input += expected.words;
    if (expected.words > 0 && !find_input(&report, expected))
      lab_checks_note("the program's input did not reach the device: was the result computed on the host?");
  }
  for (size_t n = 0; n < report.count; n++)
    sent += report.copies[n].place + (report.copies[n].is_found ? 0 : report.copies[n].carries);
  free(report.copies);
  const uint64_t most = most_sent(report.launches, input);
  sent += report.commands;
  if (sent > most)
    lab_checks_note(
        "the host sends %llu words to the device beside the program's input: expected at most %llu: was "
        "the result computed on the host?",
        (unsigned long long)sent, (unsigned long long)most);
}

static double launches_of_run(void) {
  const struct report report = report_read();
  free(report.copies);
  return (double)report.launches;
}

void traffic_check_copies(const char *function, double most) {
  double count = 0;
  if (!is_simulated)
    return;
  const struct report report = report_read();
  for (size_t n = 0; n < report.count; n++)
    count += !report.copies[n].to_host;
  free(report.copies);
  if (count > most)
    ck_abort_msg(
        "%s: %.0f copies to the device: expected at most %.0f: does one copy send a whole array? Each has a cost of its own",
        function, count, most);
}

void traffic_check_launches(double least) {
  const double launches = is_simulated ? launches_of_run() : least;
  if (launches < least)
    lab_checks_note(
        "%.0f kernels were launched: expected at least %.0f: was the result computed on the host?", launches,
        least);
}

void traffic_check_calls(const char *function, const char *size, double calls) {
  const double launches = is_simulated ? launches_of_run() : calls;
  if (launches != calls)
    ck_abort_msg("%s, %s: %.0f launch%s in %.0f call%s: expected one in each", function, size, launches,
                 launches == 1 ? "" : "es", calls, PLURAL(calls));
}
