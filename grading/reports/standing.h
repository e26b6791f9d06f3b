/* The words for people about a grade: points first, then the work that is left. The terminal and the HTML
 * report use these words; verdicts are for programs.
 *
 *   struct standing item = standing_of_item("WRONG", 7.95, 8);   // "partly"
 *   struct standing_sum sum = {0};
 *   standing_add(&sum, &item, 7.95, 8, 0);                        // and so on, for each item
 *   struct standing lab = standing_of_sum(&sum, "WRONG", "item"); // "1 of 10 items below full marks" */
#pragma once

#include <stdbool.h>
#include <stdio.h>

enum standing_tone {
  STANDING_FULL,      /* no points lost */
  STANDING_PARTLY,    /* part of the points, or a person must check it */
  STANDING_REMARK,    /* something is wrong and costs no points */
  STANDING_UNWRITTEN, /* the student has not begun */
  STANDING_WAITING,   /* not judged: skipped, not handed in, not compiled */
  STANDING_FAILED     /* no points */
};

struct standing {
  enum standing_tone tone;
  char words[96];
};

/* Of a lab's items, or of a submission's labs. */
struct standing_sum {
  int parts, below; /* parts with points, and those of them below full marks */
  int unwritten, remarks;
  bool tried, reached; /* a part was judged; one got points */
};

struct standing standing_of_item(const char *verdict, double points, double max_points);

/* A part with known points only, such as the hidden items. */
void standing_add_points(struct standing_sum *sum, double points, double max_points);

/* remarks: their number in the part. */
void standing_add(struct standing_sum *sum, const struct standing *part, double points, double max_points,
                  int remarks);

/* verdict: that of the lab or of the whole. part: "item" or "lab". */
struct standing standing_of_sum(const struct standing_sum *sum, const char *verdict, const char *part);

/* points: with the bonus; max_points: without it. */
struct standing_points {
  double points, max_points, bonus, max_bonus;
};

/* "96.5 of 100 points", "106 of 100 points (bonus: 6 of 14)"; if only a bonus was judged, "6 of 14 bonus points" */
void standing_put_points(FILE *out, const struct standing_points *points);

/* False for values that differ as little as those of one program do, on grids of random sizes. */
bool standing_is_change(double before, double measured);

/* "29 → ", before standing_put_measure, unless it is no change */
void standing_put_change(FILE *out, double before, double measured);

/* "0.7952 sectors per point; full marks up to 0.9, none from 3, linear between" */
void standing_put_measure(FILE *out, double measured, const char *unit, double none_at, double full_at);
