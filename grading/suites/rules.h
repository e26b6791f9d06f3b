/* What a function of a lab's contract may ask of the device: the totals of a counted run are judged. They forbid
 * waits, work on the host, needless launches and leaks, whatever the kernels are called. */
#pragma once

#include "program.h"

#include <stdbool.h>
#include <stddef.h>

/* Of one call. A lab program's own waits and copies are left out. */
struct rules {
  const char *function, *contract; /* "apply_naive", "stencil.h" */
  double calls;                    /* in the run */
  double launches;                 /* at most, of each call; at least one in each */
  double waits;                    /* of the host for the device */
  double bytes_to_host;
  double bytes_on_device; /* copied or filled, beside a few parameters */
  double points;          /* of the grid; 0: neither threads nor sectors are judged */
  double sectors; /* at most, for each point in each call; 0: only the bytes of each sector are judged */
  bool is_step;   /* a point is one step: loads and instructions for each point are judged, too */
};

/* What the lab program around the function does in the run, and in one without calls. */
struct rules_frame {
  double waits, bytes_to_host, bytes_to_device;
  double bytes_on_device; /* copied or filled: main.c marks results as unwritten */
  double launches, leaks; /* of other functions */
  double pinned, objects; /* pinned allocations, and streams, events and graphs, that are left */
  double memory_calls;    /* that allocate or free; 0: those of the function are not judged */
};

/* True if a run relied on an order that a GPU does not promise: launches or copies in streams that nothing orders, or
 * values that the host did not wait for. Then text says so. */
bool rules_name_disorder(const char *function, double concurrent_launches, double concurrent_copies,
                         double early_accesses, char *text, size_t size);

/* In a test: fails it if the caller does not see the error of a launch that fails, because the function takes it.
 * launch: its number in the run, from 1. The arguments of the program end with NULL. */
void rules_check_launch_error(const char *function, int launch, const char *const *arguments);

/* In a test: whether the first kernel of a run is CUB's or Thrust's. These clear the error of their own launches and
 * return it, so that a caller of the function cannot see it. The arguments end with NULL. */
bool rules_launches_for_a_library(const char *const *arguments);

/* The call that lab_suite_fail_call let fail, as in "cudaFree"; NULL: the run had fewer calls. */
const char *rules_failed_call(const struct program_result *result);

/* In a test: fails it if a run with --heap tells that each call leaves memory of the host allocated; other failures are
 * for other tests. The first returns whether it does. The arguments end with NULL. */
const char *rules_after(const char *text, const char *words); /* the rest of a message, after these words */
bool rules_leaves_heap(const char *const *arguments);
void rules_check_heap(const char *const *arguments);

/* In a test, after counters_run: the totals of the last run, as the frame of one with more calls. */
struct rules_frame rules_frame_read(void);

/* In a test, after counters_run: whether so many objects are left that each call may have left one, or that all of them
 * serve all calls. A run with RULES_MANY_CALLS decides. */
bool rules_need_more_calls(const struct rules *rules);
enum { RULES_MANY_CALLS = 16 };

/* In a test, after counters_run or counters_measure: fails it if the last run breaks a rule; left: one about
 * memory and objects. */
void rules_check(const struct rules *rules, const struct rules_frame *frame);
void rules_check_left(const struct rules *rules, const struct rules_frame *frame);
/* The same for waits alone. */
void rules_check_waits(const struct rules *rules, const struct rules_frame *frame);
/* In a test, after a counted run: fails it if the kernels request more than `most` sectors of global memory for each of
 * `count` units, such as "point". */
void rules_check_sectors(const char *function, double count, const char *unit, double most);
