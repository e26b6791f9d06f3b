/* What the HTML report shows of ladders, as members of its template, report.html. */
#ifndef HTML_LADDER_H
#define HTML_LADDER_H

#include "report.h"

/* The ladders on which the submission stands. A new reference; NULL: none. */
json_t *html_ladder_list(const struct report *report);

#endif
