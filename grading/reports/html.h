/* Parts of the HTML report, which html.c puts together. */
#ifndef HTML_H
#define HTML_H

#include "report.h"

/* A member of an untrusted object as clean, escaped text: a string, or nothing where it is none. */
void html_put_member(FILE *out, const json_t *object, const char *key);

/* Where a value lies between the limits: the points' slope, and a mark. */
void html_put_measure(FILE *out, const struct report_line *line);

/* What each source line of the lab's kernels did, with pictures of a warp's requests where it wastes. */
void html_put_kernels(FILE *out, const struct report_lab *lab);

/* The ladders on which the submission stands. */
void html_put_ladders(FILE *out, const struct report *report);

/* A place such as "compressed.cu:41", as a link where the lab's kernels show that line. */
void html_put_place(FILE *out, const struct report_lab *lab, const char *source);

#endif
