/* Template members (report.html) for a measured value. */
#pragma once

#include "report.h"

/* The value between its limits, with the slope of the points. A new reference; NULL: nothing was measured. */
json_t *html_measure(const struct report_item *item);
