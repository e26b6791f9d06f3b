#include "rules.h"
#include "counters.h"
#include "heap.h"
#include "lab_suite.h"
#include "plural.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Pointers and parameters that a function may send, copy or fill, of each call. */
enum { BYTES_MOVED = 4096 };

/* "none", or "at most 6" */
static const char *limit(double most) {
  static char text[32];
  snprintf(text, sizeof text, "at most %.0f", most);
  return most > 0 ? text : "none";
}

struct rules_frame rules_frame_read(void) {
  return (struct rules_frame){.waits = counters_total("host_waits"),
                              .bytes_to_host = counters_total("bytes_to_host"),
                              .bytes_to_device = counters_total("bytes_to_device"),
                              .bytes_on_device = counters_total("bytes_on_device"),
                              .launches = counters_total("launches"),
                              .leaks = counters_total("leaked_allocations"),
                              .pinned = counters_total("leaked_pinned"),
                              .objects = counters_total("leaked_objects"),
                              .memory_calls = counters_total("memory_calls")};
}

static void check_launches(const struct rules *rules, const struct rules_frame *frame) {
  const double launches = counters_total("launches") - frame->launches, most = rules->calls * rules->launches;
  if (launches > most)
    ck_abort_msg("%s: %g launches in %g call%s: expected %s; they are %s", rules->function, launches,
                 rules->calls, PLURAL(rules->calls), limit(most), counters_kernels());
}

static void check_launched(const struct rules *rules, const struct rules_frame *frame) {
  if (!(counters_total("launches") > frame->launches))
    ck_abort_msg("%s: no kernel was launched: was the result computed on the host?", rules->function);
}

/* A call that launches nothing leaves the results of an earlier one. */
static void check_each_call(const struct rules *rules, const struct rules_frame *frame) {
  const double launches = counters_total("launches") - frame->launches;
  if (launches < rules->calls)
    ck_abort_msg("%s: %g launch%s in %g calls: expected at least one in each call: does a call return the "
                 "results of an earlier one?",
                 rules->function, launches, launches == 1 ? "" : "es", rules->calls);
}

void rules_check_waits(const struct rules *rules, const struct rules_frame *frame) {
  const double waits = counters_total("host_waits") - frame->waits, most = rules->calls * rules->waits;
  if (waits > most && most > 0)
    ck_abort_msg(
        "%s: waits for the device %g times in %g call%s: expected %s: each copy to the host waits: does "
        "one copy fetch a whole array?",
        rules->function, waits, rules->calls, PLURAL(rules->calls), limit(most));
  if (waits > most)
    ck_abort_msg(
        "%s: waits for the device %g time%s in %g call%s: expected %s: %s says that the caller waits",
        rules->function, waits, PLURAL(waits), rules->calls, PLURAL(rules->calls), limit(most),
        rules->contract);
}

/* On hardware a thread of the runtime calls them: the device is idle meanwhile, and the caller may wait for it. */
static void check_host_functions(const struct rules *rules) {
  const double called = counters_total("host_functions");
  if (called > 0 && rules->waits == 0)
    ck_abort_msg("%s: a stream calls a function of the host %g time%s: expected none: the rest of the stream "
                 "waits for it",
                 rules->function, called, PLURAL(called));
}

/* A host that computes must read the input, and send the result. */
static void check_copies(const struct rules *rules, const struct rules_frame *frame) {
  const double to_host = counters_total("bytes_to_host") - frame->bytes_to_host;
  const double to_device = counters_total("bytes_to_device") - frame->bytes_to_device;
  const double most = rules->calls * rules->bytes_to_host;
  const bool copies_itself = rules->bytes_to_host > BYTES_MOVED;
  if (to_host > most)
    ck_abort_msg("%s: copies %.0f bytes to the host in %g call%s: expected %s: %s", rules->function, to_host,
                 rules->calls, PLURAL(rules->calls), limit(most),
                 copies_itself ? "is more than the result copied?" : "was the result computed on the host?");
  if (to_device > rules->calls * BYTES_MOVED)
    ck_abort_msg("%s: %.0f bytes%s of the host go to the device in %g call%s: expected %s: %s",
                 rules->function, to_device, copies_itself ? " beside its input" : "", rules->calls,
                 PLURAL(rules->calls), limit(rules->calls * BYTES_MOVED),
                 copies_itself ? "the array of the result need not be sent" : "the input is there already");
}

/* Copies take no time of a kernel and move no sectors of one. Fills do neither, but compute nothing: a function may
 * clear what it then writes in part. */
static void check_moves(const struct rules *rules, const struct rules_frame *frame) {
  const double fills = fmax(0, counters_total("bytes_filled") - frame->bytes_on_device);
  const double moved = counters_total("bytes_on_device") - frame->bytes_on_device - fills;
  const double most = rules->calls * (BYTES_MOVED + rules->bytes_on_device);
  if (moved > most)
    ck_abort_msg("%s: copies within the device of %.0f bytes in %g call%s: expected %s: a kernel does "
                 "the work",
                 rules->function, moved, rules->calls, PLURAL(rules->calls), limit(most));
}

bool rules_name_disorder(const char *function, double launches, double copies, double early, char *text,
                         size_t size) {
  static const char advice[] =
      "expected none: on a GPU, the results depend on timing; order streams by events, and the nodes of a graph by "
      "dependencies";
  if (launches > 0)
    snprintf(
        text, size,
        "%s: %g launch%s may run at the same time as an earlier launch of another stream, or another branch of a "
        "graph%s: %s",
        function, launches, launches > 1 ? "es" : "", copies > 0 ? ", or a copy there" : "", advice);
  else if (copies > 0)
    snprintf(
        text, size,
        "%s: %g cop%s may run at the same time as an earlier launch or copy of another stream that uses the "
        "same array: %s",
        function, copies, copies > 1 ? "ies" : "y", advice);
  else if (early > 0)
    snprintf(
        text, size,
        "%s: the host uses pinned or managed memory %g time%s before it has waited for the copy or the kernel "
        "that writes there, or changes it before it has waited for the copy that reads it: expected never: on a GPU, "
        "the values may be old or new ones",
        function, early, PLURAL(early));
  return launches > 0 || copies > 0 || early > 0;
}

/* The lab program uses the default stream alone, and each launch needs the results of the one before. */
static void check_streams(const struct rules *rules) {
  const double left = counters_total("unawaited_launches");
  char text[512];
  if (rules_name_disorder(rules->function, counters_total("concurrent_launches"),
                          counters_total("concurrent_copies"), counters_total("early_accesses"), text,
                          sizeof text))
    ck_abort_msg("%s", text);
  if (left > 0)
    ck_abort_msg("%s: the caller's copy to the host does not wait for %g launch%s in other streams: expected "
                 "none: let the default stream wait for an event, or launch in the default stream",
                 rules->function, left, left > 1 ? "es" : "");
}

/* Those that are kept for all calls are no leak; one in each second of many calls is. */
static void check_kept(const struct rules *rules, const struct rules_frame *frame) {
  const double pinned = counters_total("leaked_pinned") - frame->pinned,
               objects = counters_total("leaked_objects") - frame->objects,
               least = rules->calls < RULES_MANY_CALLS ? rules->calls : rules->calls / 2;
  if (rules->calls > 1 && pinned >= least)
    ck_abort_msg("%s: %g arrays of pinned memory in %g calls are never freed: cudaFreeHost", rules->function,
                 pinned, rules->calls);
  if (rules->calls > 1 && objects >= least)
    ck_abort_msg("%s: %g streams, events or graphs in %g calls are never destroyed", rules->function, objects,
                 rules->calls);
}

/* what: "sectors" or "requests" */
static double of_loads_and_stores(const char *what) {
  static const char *const kinds[] = {"ld", "st"};
  double sum = 0;
  for (int n = 0; n < 2; n++) {
    char column[64];
    snprintf(column, sizeof column, "l1tex__t_%s_pipe_lsu_mem_global_op_%s.sum", what, kinds[n]);
    sum += counters_sum("", column);
  }
  return sum;
}

void rules_check_sectors(const char *function, double count, const char *unit, double most) {
  const double together = 12; /* sectors of a request: those of doubles side by side are 8 or 9 */
  const double all = of_loads_and_stores("sectors"), sectors = all / count;
  if (sectors > most && all > together * of_loads_and_stores("requests"))
    ck_abort_msg(
        "%s: warps request %.2f sectors of global memory per %s: expected at most %g: neighbouring lanes "
        "must use neighbouring elements",
        function, sectors, unit, most);
}

/* A step takes about 50 instructions and 6 loads and stores; with a tile, or an index by divisions, three
 * times as many. */
static void check_work(const struct rules *rules) {
  enum { LANES = 32, INSTRUCTIONS = 400, REQUESTS = 24 };
  const double steps = rules->calls * rules->points / LANES,
               instructions = counters_sum("", "smsp__inst_executed.sum") / steps,
               requests = of_loads_and_stores("requests") / steps;
  if (requests > REQUESTS)
    ck_abort_msg(
        "%s: warps make %.0f loads and stores of global memory for each 32 points: expected at most %d: is "
        "a value loaded again and again?",
        rules->function, requests, REQUESTS);
  if (instructions > INSTRUCTIONS)
    ck_abort_msg(
        "%s: warps execute %.0f instructions for each 32 points: expected at most %d: does a loop compute "
        "what the result does not need?",
        rules->function, instructions, INSTRUCTIONS);
}

/* No item compares the time of such a kernel with a copy. A thread may have many points, side by side or not. Where a
 * call is one launch, none may be small. */
static void check_speed(const struct rules *rules) {
  enum { SMALL = 65536, BLOCKS = 16, POINTS = 128, LEAST_BYTES = 6 };
  if (!(rules->points > SMALL))
    return;
  const double blocks = rules->launches > 1 ? counters_blocks() / rules->calls : counters_fewest_blocks(),
               threads = counters_threads() / rules->calls;
  if (blocks < BLOCKS || threads < rules->points / POINTS)
    ck_abort_msg(
        "%s: %.0f block%s with %.0f thread%s in all for %.0f points: expected at least %d blocks and %.0f "
        "threads: most of the GPU is idle",
        rules->function, blocks, PLURAL(blocks), threads, PLURAL(threads), rules->points, BLOCKS,
        rules->points / POINTS);
  const double bytes = counters_bytes_per_sector("");
  if (bytes < LEAST_BYTES)
    ck_abort_msg(
        "%s: warps use %.1f bytes of each sector of 32 that they request: expected at least %d: neighbouring lanes "
        "must use neighbouring elements",
        rules->function, bytes, LEAST_BYTES);
  if (rules->sectors > 0)
    rules_check_sectors(rules->function, rules->calls * rules->points, "point", rules->sectors);
  if (rules->is_step)
    check_work(rules);
}

bool rules_need_more_calls(const struct rules *rules) {
  return rules->calls < RULES_MANY_CALLS && (counters_total("leaked_pinned") >= rules->calls / 2 ||
                                             counters_total("leaked_objects") >= rules->calls / 2);
}

void rules_check(const struct rules *rules, const struct rules_frame *frame) {
  check_launched(rules, frame);
  check_copies(rules, frame);
  check_launches(rules, frame);
  check_moves(rules, frame);
  check_streams(rules);
  rules_check_waits(rules, frame);
  check_host_functions(rules);
  check_speed(rules);
  counters_check_slow_launch(rules->function);
  rules_check_left(rules, frame);
}

/* A call that allocates or frees memory may wait for the device; in stream order, it takes the host's time. */
static void check_memory_calls(const struct rules *rules, const struct rules_frame *frame) {
  const double made =
      counters_total("memory_calls") + counters_total("ordered_memory_calls") - frame->memory_calls;
  if (rules->waits == 0 && frame->memory_calls > 0 && rules->calls > 1 && made >= rules->calls)
    ck_abort_msg(
        "%s: each call allocates or frees memory: expected none: the host spends time there, and may wait for the "
        "device",
        rules->function);
}

void rules_check_left(const struct rules *rules, const struct rules_frame *frame) {
  check_launched(rules, frame);
  check_each_call(rules, frame);
  const double leaked = counters_total("leaked_allocations") - frame->leaks, each = leaked / rules->calls,
               bytes = counters_total("allocated_bytes") - counters_total("freed_bytes");
  if (leaked > 0 && rules->calls > 1 && each >= 1 && !(each > floor(each)))
    ck_abort_msg(
        "%s: each call leaves %g allocation%s of device memory, %.0f bytes in all in %g calls, never freed: "
        "expected a cudaFree for each cudaMalloc",
        rules->function, each, PLURAL(each), bytes, rules->calls);
  if (leaked > 0)
    ck_abort_msg("%s: %g allocation%s of %.0f bytes in all %s never freed", rules->function, leaked,
                 PLURAL(leaked), bytes, leaked > 1 ? "are" : "is");
  check_kept(rules, frame);
  check_memory_calls(rules, frame);
}

const char *rules_failed_call(const struct program_result *result) {
  static const char announced[] = "fails on request: ";
  const char *found = program_device_said(result, announced);
  return found ? found + sizeof announced - 1 : NULL;
}

static bool leaves_heap(const char *const *arguments, char *text, size_t size) {
  const struct program_result result = lab_suite_run(arguments);
  program_describe(&result, text, size);
  return strstr(result.message, HEAP_WORDS) != NULL;
}

const char *rules_after(const char *text, const char *words) {
  const char *found = strstr(text, words);
  return found ? found + strlen(words) : text;
}

bool rules_leaves_heap(const char *const *arguments) {
  char text[512];
  return leaves_heap(arguments, text, sizeof text);
}

void rules_check_heap(const char *const *arguments) {
  char text[512];
  if (leaves_heap(arguments, text, sizeof text))
    ck_abort_msg("%s", text);
}

bool rules_launches_for_a_library(const char *const *arguments) {
  char kernel[256] = "";
  if (counters_run(arguments))
    counters_kernel(kernel, sizeof kernel);
  return strstr(kernel, "cub::") || strstr(kernel, "thrust::");
}

void rules_check_launch_error(const char *function, int launch, const char *const *arguments) {
  if (!lab_suite_is_simulated())
    return;
  lab_suite_fail_launch(launch);
  setenv("SIMGPU_CHECKS", "frees", 1); /* later launches may read what this one did not write */
  const struct program_result result = lab_suite_run(arguments);
  unsetenv("SIMGPU_CHECKS");
  lab_suite_fail_launch(0);
  if (rules_failed_call(&result) && result.status == 0 && !rules_launches_for_a_library(arguments))
    ck_abort_msg("%s: its launch fails, and the program continued: expected that the caller sees the error: "
                 "cudaGetLastError clears it, and cudaPeekAtLastError does not",
                 function);
}
