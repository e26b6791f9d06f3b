/* Template members (report.html) for a lab's kernels. */
#pragma once

#include "report.h"

/* Counts by source line, with pictures of wasteful requests of a warp. A new reference; NULL: no kernels. */
json_t *html_kernels(const struct report_lab *lab);

/* The id of a place such as "compressed.cu:41". A new reference; NULL: the lab's kernels do not show that line. */
json_t *html_kernels_target(const struct report_lab *lab, const char *source);
