/* What the HTML report shows of a measured value, as members of its template, report.html. */
#ifndef HTML_MEASURE_H
#define HTML_MEASURE_H

#include "report.h"

/* Where the value lies between the limits: the points' slope, and a mark. A new reference; NULL: none was measured. */
json_t *html_measure(const struct report_item *item);

#endif
