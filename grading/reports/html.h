/* What the HTML report shows, as members of its template, report.html. Texts are clean, and the template
 * escapes them; numbers are texts as they are shown. All are new references, NULL where there is nothing to
 * show. */
#ifndef HTML_H
#define HTML_H

#include "report.h"

json_t *html_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A member of an untrusted object as clean text: a string, or "" where it is none. */
json_t *html_member(const json_t *object, const char *key);

/* Where a value lies between the limits: the points' slope, and a mark. */
json_t *html_measure(const struct report_item *item);

/* What each source line of the lab's kernels did, with pictures of a warp's requests where it wastes. */
json_t *html_kernels(const struct report_lab *lab);

/* The ladders on which the submission stands. */
json_t *html_ladders(const struct report *report);

/* The id of a place such as "compressed.cu:41", where the lab's kernels show that line. */
json_t *html_target(const struct report_lab *lab, const char *source);

#endif
