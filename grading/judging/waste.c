#include "waste.h"
#include "counter_file.h"
#include "csv.h"
#include "request_file.h"
#include "waste_limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOAD, STORE, ATOMIC, ACCESSES };
static const char *const operations[ACCESSES] = {"load", "store", "atomic"};

/* A source line: its row in the file of lines. */
struct line {
  char kernel[128], file[256];
  double number, launches;
  double work_warps, work_threads, branches, divergent;
  double requests[ACCESSES], sectors[ACCESSES], fewest[ACCESSES], bytes[ACCESSES];
  double shared_requests, wavefronts, fewest_wavefronts, local;
};

static double of_access(const struct csv *csv, const char *access, const char *what) {
  char column[64];
  snprintf(column, sizeof column, "%s_%s", access, what);
  return csv_number(csv, column);
}

static struct line read_line(const struct csv *csv) {
  struct line line = {.number = csv_number(csv, "line"),
                      .launches = csv_number(csv, "launches"),
                      .work_warps = csv_number(csv, "work_instructions"),
                      .work_threads = csv_number(csv, "work_thread_instructions"),
                      .branches = csv_number(csv, "branches"),
                      .divergent = csv_number(csv, "divergent_branches"),
                      .shared_requests = csv_number(csv, "shared_requests"),
                      .wavefronts = csv_number(csv, "shared_wavefronts"),
                      .fewest_wavefronts = csv_number(csv, "shared_fewest_wavefronts"),
                      .local = csv_number(csv, "local_requests")};
  snprintf(line.kernel, sizeof line.kernel, "%s", csv_text(csv, "kernel"));
  snprintf(line.file, sizeof line.file, "%s", csv_text(csv, "file"));
  for (int a = 0; a < ACCESSES; a++) {
    line.requests[a] = of_access(csv, operations[a], "requests");
    line.sectors[a] = of_access(csv, operations[a], "sectors");
    line.fewest[a] = of_access(csv, operations[a], "fewest_sectors");
    line.bytes[a] = of_access(csv, operations[a], "bytes");
  }
  return line;
}

/* The lines of the requested kernels, in the order of the file. The caller frees them. */
static struct line *read_lines(const char *path, const char *kernel, size_t *count) {
  struct csv csv;
  struct line *lines = NULL;
  *count = 0;
  if (csv_open(&csv, path))
    while (csv_next(&csv)) {
      if (!counter_file_is_named(csv_text(&csv, "kernel"), kernel) || csv_number(&csv, "line") == 0)
        continue;
      struct line *more = realloc(lines, (*count + 1) * sizeof *lines);
      if (!more)
        break;
      lines = more;
      lines[(*count)++] = read_line(&csv);
    }
  csv_close(&csv);
  return lines;
}

/* The line with the largest amount, or NULL if no line has any. */
static const struct line *largest(const struct line *lines, size_t count,
                                  double (*amount)(const struct line *, int), int access) {
  const struct line *best = NULL;
  for (size_t n = 0; n < count; n++)
    if (amount(&lines[n], access) > (best ? amount(best, access) : 0))
      best = &lines[n];
  return best;
}

/* The same for every kind of access; access: the one of the result. */
static const struct line *largest_of_all(const struct line *lines, size_t count,
                                         double (*amount)(const struct line *, int), int *access) {
  const struct line *best = NULL;
  for (int a = 0; a < ACCESSES; a++) {
    const struct line *line = largest(lines, count, amount, a);
    if (line && amount(line, a) > (best ? amount(best, *access) : 0)) {
      best = line;
      *access = a;
    }
  }
  return best;
}

static double sum(const struct line *lines, size_t count, double (*amount)(const struct line *, int)) {
  double total = 0;
  for (size_t n = 0; n < count; n++)
    for (int a = 0; a < ACCESSES; a++)
      total += amount(&lines[n], a);
  return total;
}

static double idle(const struct line *line, int ignored) {
  return (void)ignored, REQUEST_LANES * line->work_warps - line->work_threads;
}
static double work(const struct line *line, int access) { return access == LOAD ? line->work_warps : 0; }
static double conflicts(const struct line *line, int ignored) {
  return (void)ignored, line->wavefronts - line->fewest_wavefronts;
}
static double shared(const struct line *line, int ignored) { return (void)ignored, line->shared_requests; }
static double local(const struct line *line, int access) { return access == LOAD ? line->local : 0; }
static double sectors(const struct line *line, int access) { return line->sectors[access]; }
static double requests(const struct line *line, int access) { return line->requests[access]; }
/* Sectors that better addresses would avoid, if they are more than a misaligned row costs. */
static double spared(const struct line *line, int access) {
  const double excess = line->sectors[access] - line->fewest[access];
  return line->sectors[access] > WASTE_LIMITS_ACCESS * line->fewest[access] ? excess : 0;
}

static const double FEW_IDLE = 0.05, MANY_IDLE = 0.25, MOST_IDLE = 0.75;

/* Of the lanes of memory and arithmetic instructions. */
static double idle_part(const struct line *lines, size_t count) {
  double lanes = 0, asleep = 0;
  for (size_t n = 0; n < count; n++)
    asleep += idle(&lines[n], 0), lanes += REQUEST_LANES * lines[n].work_warps;
  return lanes > 0 ? asleep / lanes : 0;
}

/* --- requests of one warp --- */

static bool is_at(const struct request *request, const struct line *line, const char *operation,
                  bool is_shared) {
  return request->line == line->number && strcmp(request->kernel, line->kernel) == 0 &&
         strcmp(request->file, line->file) == 0 && request->is_shared == is_shared &&
         (!operation || strcmp(request->operation, operation) == 0);
}

/* The most expensive request at the line; lanes: 0 if the warp made none. operation: NULL for any. */
static struct request find_request(const char *path, const struct line *line, const char *operation,
                                   bool is_shared) {
  struct request_file file;
  struct request best = {0}, now;
  request_file_open(&file, path);
  while (request_file_next(&file, &now))
    if (is_at(&now, line, operation, is_shared) && now.lanes && now.cost > best.cost)
      best = now;
  request_file_close(&file);
  return best;
}

/* The step from each active lane to the next, in address or lane number; false if steps differ. */
static bool has_step(const struct request *request, bool of_address, long long *step) {
  for (int n = 1; n < request->lanes; n++) {
    const long long this =
        of_address ? request->address[n] - request->address[n - 1] : request->lane[n] - request->lane[n - 1];
    if (n > 1 && this != *step)
      return false;
    *step = this;
  }
  return request->lanes > 1;
}

/* --- sentences --- */

static double ratio(double a, double b) { return b > 0 ? a / b : 0; }

/* Omits the folder, which is the grader's. */
static void tell_place(const struct line *line, struct waste *waste) {
  const char *slash = strrchr(line->file, '/');
  snprintf(waste->source, sizeof waste->source, "%s:%.0f", slash ? slash + 1 : line->file, line->number);
}

static int by_address(const void *a, const void *b) {
  const long long x = *(const long long *)a, y = *(const long long *)b;
  return (x > y) - (x < y);
}

/* Number of pieces of memory that the lanes access, at least a sector apart. */
static int count_pieces(const struct request *request) {
  struct request sorted = *request;
  int pieces = 1;
  qsort(sorted.address, (size_t)sorted.lanes, sizeof *sorted.address, by_address);
  for (int n = 1; n < sorted.lanes; n++)
    pieces += sorted.address[n] - sorted.address[n - 1] > REQUEST_SECTOR;
  return pieces;
}

/* "second" if every second lane is active, and so on; "" for all lanes or no fixed step. */
static const char *every_nth(const struct request *request) {
  static const char *const words[] = {
      [2] = "second", [3] = "third", [4] = "fourth", [8] = "eighth", [16] = "sixteenth"};
  long long step = 1;
  const bool known = has_step(request, false, &step) && step > 1 && step <= 16 && words[step];
  return known ? words[step] : "";
}

/* Describes the addresses of a wasteful request. */
static void tell_addresses(const struct request *request, char *text, size_t size) {
  const char *nth = every_nth(request);
  long long step;
  if (request->lanes < 2)
    snprintf(text, size, "only one lane is active");
  else if (!has_step(request, true, &step))
    snprintf(text, size, "the lanes of a warp access %d separate pieces of memory", count_pieces(request));
  else if (nth[0])
    snprintf(text, size, "only every %s lane is active, and active lanes are %lld bytes apart", nth,
             llabs(step));
  else
    snprintf(text, size, "neighbouring lanes are %lld bytes apart%s", llabs(step),
             llabs(step) == 2 * request->bytes
                 ? ", every second element: if the layout asks for that, avoid accesses"
                 : "");
}

static void tell_sectors(const struct line *line, int access, const struct request *request,
                         struct waste *waste) {
  char addresses[192];
  tell_addresses(request, addresses, sizeof addresses);
  snprintf(waste->sentence, sizeof waste->sentence, "%ss: %.1f sectors per request, %.1f would be enough%s%s",
           operations[access], ratio(line->sectors[access], line->requests[access]),
           ratio(line->fewest[access], line->requests[access]), request->lanes ? ": " : "",
           request->lanes ? addresses : "");
}

/* Names the line with the largest share of the metric. */
static bool tell_share(const struct line *lines, size_t count, double (*amount)(const struct line *, int),
                       const char *of, const char *question, struct waste *waste) {
  int access = LOAD;
  const struct line *line = largest_of_all(lines, count, amount, &access);
  if (!line)
    return false;
  tell_place(line, waste);
  snprintf(waste->sentence, sizeof waste->sentence,
           "the %ss on this line are %.0f %% of the %s, in %.0f launch%s%s", operations[access],
           100 * ratio(amount(line, access), sum(lines, count, amount)), of, line->launches,
           line->launches == 1 ? "" : "es", question);
  return true;
}

static bool explain_lanes(const struct line *lines, size_t count, const char *addresses, struct waste *waste);

static bool explain_sectors(const struct line *lines, size_t count, const char *addresses,
                            struct waste *waste) {
  int access = LOAD;
  const struct line *line = largest_of_all(lines, count, spared, &access);
  if (!line && idle_part(lines, count) > MOST_IDLE) /* a lane alone needs a sector alone */
    return explain_lanes(lines, count, addresses, waste);
  if (!line) /* no single access is wasteful: there are too many */
    return tell_share(lines, count, sectors, "sectors",
                      ", all of them full: which accesses could be avoided?", waste);
  const struct request request = find_request(addresses, line, operations[access], false);
  tell_place(line, waste);
  tell_sectors(line, access, &request, waste);
  return true;
}

static bool explain_traffic(const struct line *lines, size_t count, const char *addresses,
                            struct waste *waste) {
  (void)addresses;
  return tell_share(lines, count, sectors, "sectors",
                    ": which values were already in shared memory or registers?", waste);
}

enum { WIDEST = 16 }; /* bytes that a lane can access at once */

/* Whether most lanes access every second element: a wider access would bring the elements between, too. Lanes as far
 * apart as the widest access may own what is between. */
static bool has_gaps(const struct request *request) {
  int gaps = 0;
  for (int n = 1; n < request->lanes; n++)
    gaps += llabs(request->address[n] - request->address[n - 1]) == 2 * request->bytes;
  return 2 * request->bytes < WIDEST && 2 * gaps >= request->lanes;
}

/* The request of the line with most requests among those in which most lanes access less than they could; line and
 * access: of it. Its bytes are 0 if there is none. */
static struct request find_narrow(const struct line *lines, size_t count, const char *addresses,
                                  const struct line **line, int *access) {
  struct request narrow = {0};
  for (size_t n = 0; n < count; n++)
    for (int a = LOAD; a <= STORE; a++) {
      if (requests(&lines[n], a) <= (narrow.bytes ? requests(*line, *access) : 0))
        continue;
      const struct request request = find_request(addresses, &lines[n], operations[a], false);
      if (request.lanes < REQUEST_LANES / 2 || request.bytes >= WIDEST || has_gaps(&request))
        continue;
      narrow = request;
      *line = &lines[n];
      *access = a;
    }
  return narrow;
}

/* The first two lanes with a bank conflict. Requests of more than a word per lane are served in parts of
 * 128 bytes; lanes of different parts do not conflict. */
static bool find_meeting(const struct request *request, int *first, int *second) {
  const int together =
      REQUEST_LANES * REQUEST_WORD / (request->bytes > REQUEST_WORD ? request->bytes : REQUEST_WORD);
  for (int a = 0; a < request->lanes; a++)
    for (int b = a + 1; b < request->lanes; b++)
      if (request->lane[a] / together == request->lane[b] / together &&
          request->address[a] / REQUEST_WORD != request->address[b] / REQUEST_WORD &&
          request->address[a] / REQUEST_WORD % REQUEST_BANKS ==
              request->address[b] / REQUEST_WORD % REQUEST_BANKS) {
        *first = a;
        *second = b;
        return true;
      }
  return false;
}

/* No line has a conflict. */
static bool explain_atomics(const struct line *lines, size_t count, struct waste *waste) {
  const struct line *line = largest(lines, count, shared, 0);
  if (!line)
    return false;
  tell_place(line, waste);
  snprintf(waste->sentence, sizeof waste->sentence,
           "this line has most of the requests of shared memory: atomics count as conflicts");
  return true;
}

static bool explain_conflicts(const struct line *lines, size_t count, const char *addresses,
                              struct waste *waste) {
  const struct line *line = largest(lines, count, conflicts, 0);
  int a, b;
  if (!line)
    return explain_atomics(lines, count, waste);
  const struct request request = find_request(addresses, line, NULL, true);
  size_t used = (size_t)snprintf(waste->sentence, sizeof waste->sentence, "%.1f-way bank conflict",
                                 ratio(line->wavefronts, line->fewest_wavefronts));
  tell_place(line, waste);
  if (find_meeting(&request, &a, &b))
    snprintf(waste->sentence + used, sizeof waste->sentence - used,
             ": lanes %d and %d are %lld words apart, so they share a bank", request.lane[a], request.lane[b],
             llabs(request.address[b] - request.address[a]) / REQUEST_WORD);
  return true;
}

/* The line, at or above `below`, at which most warps diverge, or NULL. */
static const struct line *dividing(const struct line *lines, size_t count, const struct line *below) {
  const struct line *best = NULL;
  for (size_t n = 0; n < count; n++)
    if (strcmp(lines[n].kernel, below->kernel) == 0 && strcmp(lines[n].file, below->file) == 0 &&
        lines[n].number <= below->number && lines[n].divergent > (best ? best->divergent : 0))
      best = &lines[n];
  return best && best->divergent > WASTE_LIMITS_DIVERGENT * best->branches ? best : NULL;
}

static bool explain_local(const struct line *lines, size_t count, const char *addresses,
                          struct waste *waste) {
  (void)addresses;
  const struct line *line = largest(lines, count, local, LOAD);
  if (!line)
    return false;
  tell_place(line, waste);
  snprintf(waste->sentence, sizeof waste->sentence,
           "this line makes %.0f %% of the requests of local memory: an array is not in registers; unroll "
           "the loops, so that the compiler knows every index, or compute what a small table holds",
           100 * ratio(local(line, LOAD), sum(lines, count, local)));
  return true;
}

/* Almost all warps are full: there are too many instructions. */
static bool tell_work(const struct line *lines, size_t count, struct waste *waste) {
  if (explain_local(lines, count, NULL, waste))
    return true;
  const struct line *line = largest(lines, count, work, LOAD);
  if (!line)
    return false;
  tell_place(line, waste);
  snprintf(
      waste->sentence, sizeof waste->sentence,
      "this line has %.0f %% of the memory and arithmetic instructions, almost all with full warps: which of them "
      "does the result not need?",
      100 * ratio(line->work_warps, sum(lines, count, work)));
  return true;
}

static bool explain_lanes(const struct line *lines, size_t count, const char *addresses,
                          struct waste *waste) {
  const struct line *line = largest(lines, count, idle, 0);
  if (!line || idle_part(lines, count) < FEW_IDLE)
    return tell_work(lines, count, waste);
  const struct line *divides = dividing(lines, count, line);
  const struct request request = find_request(addresses, line, NULL, false);
  const char *nth = every_nth(&request);
  char every[64] = "";
  if (nth[0])
    snprintf(every, sizeof every, ", only every %s lane works", nth);
  tell_place(divides ? divides : line, waste);
  if (divides && divides != line)
    snprintf(waste->sentence, sizeof waste->sentence,
             "warps diverge here: %.0f of 32 lanes continue to line %.0f%s",
             ratio(line->work_threads, line->work_warps), line->number, every);
  else
    snprintf(waste->sentence, sizeof waste->sentence, "%.0f of 32 lanes %s active%s",
             ratio(line->work_threads, line->work_warps),
             line->work_threads < 1.5 * line->work_warps ? "is" : "are", every);
  return true;
}

static bool explain_requests(const struct line *lines, size_t count, const char *addresses,
                             struct waste *waste) {
  int access = LOAD;
  const struct line *line = NULL;
  if (idle_part(lines, count) > MANY_IDLE)
    return explain_lanes(lines, count, addresses, waste);
  const struct request request = find_narrow(lines, count, addresses, &line, &access);
  if (request.bytes != REQUEST_WORD && request.bytes != 2 * REQUEST_WORD)
    return tell_share(lines, count, requests, "requests", ": which of them could be avoided?", waste);
  tell_place(line, waste);
  snprintf(
      waste->sentence, sizeof waste->sentence,
      "%ss of %d bytes per lane are %.0f %% of the requests: one %s access replaces %s", operations[access],
      request.bytes, 100 * ratio(requests(line, access), sum(lines, count, requests)),
      request.bytes == REQUEST_WORD ? "float4" : "16-byte", request.bytes == REQUEST_WORD ? "four" : "two");
  return true;
}

bool waste_find(enum metric_fault fault, const char *kernel, const char *lines_path, const char *addresses,
                struct waste *waste) {
  static bool (*const explain[])(const struct line *, size_t, const char *, struct waste *) = {
      [METRIC_LANES] = explain_lanes,         [METRIC_SECTORS] = explain_sectors,
      [METRIC_TRAFFIC] = explain_traffic,     [METRIC_REQUESTS] = explain_requests,
      [METRIC_CONFLICTS] = explain_conflicts, [METRIC_TIME] = NULL,
      [METRIC_LOCAL] = explain_local};
  size_t count;
  if (!explain[fault])
    return false;
  struct line *lines = read_lines(lines_path, kernel, &count);
  const bool found = explain[fault](lines, count, addresses, waste);
  free(lines);
  return found;
}
