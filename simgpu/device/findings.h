/* What the checks found: each kind of finding at each place is told once, with its first case, and counted.
 */
#ifndef SIMGPU_FINDINGS_H
#define SIMGPU_FINDINGS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum finding_kind {
  FINDING_RACE,
  FINDING_UNFINISHED,
  FINDING_UNINITIALISED,
  FINDING_FREE,
  FINDING_SAME_VALUE, /* this and the following: remarks, nothing fails by them */
  FINDING_LEAK,
  FINDING_KINDS
};

struct finding_place {
  const char *file; /* or NULL: unknown */
  uint32_t line;
};

/* What makes a finding another one. */
struct finding_key {
  enum finding_kind kind;
  const void *module;
  uint64_t here, there; /* instructions, or what else tells them apart */
};

struct findings;

/* `report` gets one CSV row per finding; may be NULL. */
struct findings *findings_new(FILE *report);
/* A case of it. True: the first; findings_describe must follow. */
bool findings_count(struct findings *findings, struct finding_key key);
/* The text of the finding counted last, without its place, and the source lines it is about. */
void findings_describe(struct findings *findings, const char *kernel, struct finding_place here,
                       struct finding_place there, const char *text);
/* Modules are unloaded: others may come to lie in their place. */
void findings_forget_modules(struct findings *findings);
/* Tell on standard error what is new since the last call. */
void findings_tell(struct findings *findings, uint64_t launch);
/* Tell the sum, write the report, free. */
void findings_close(struct findings *findings);

#endif
