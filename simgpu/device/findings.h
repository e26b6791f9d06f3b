/* Findings of the checks: one report per kind and place, with the first case and the number of cases. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum finding_kind {
  FINDING_RACE,
  FINDING_UNFINISHED,
  FINDING_UNINITIALISED,
  FINDING_FREE,
  FINDING_MASK,
  FINDING_STREAM,
  FINDING_SAME_VALUE, /* this and the following are remarks: no check fails */
  FINDING_LEAK,
  FINDING_KINDS
};

struct finding_place {
  const char *file; /* or NULL: unknown */
  uint32_t line;
};

/* Two cases with equal keys are one finding. */
struct finding_key {
  enum finding_kind kind;
  const void *module;
  uint64_t here, there; /* instructions, or another number that distinguishes findings */
};

struct findings;

/* `report` gets one CSV row per finding; may be NULL. */
struct findings *findings_new(FILE *report);
/* Counts a case. Returns true for the first one; findings_describe must follow. */
bool findings_count(struct findings *findings, struct finding_key key);
/* Sets the text of the last counted finding, without its place, and its source lines. */
void findings_describe(struct findings *findings, const char *kernel, struct finding_place here,
                       struct finding_place there, const char *text);
/* Replaces a part of a finding's text that is there once. */
void findings_replace(struct findings *findings, struct finding_key key, const char *old, const char *new);
/* Call this when modules are unloaded: other modules may get their addresses. */
void findings_forget_modules(struct findings *findings);
/* Prints on standard error the findings since the last call. */
void findings_report(struct findings *findings, uint64_t launch);
/* Prints the totals, writes the report and frees the findings. */
void findings_close(struct findings *findings);
