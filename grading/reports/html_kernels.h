/* What the HTML report shows of a lab's kernels, as members of its template, report.html. */
#ifndef HTML_KERNELS_H
#define HTML_KERNELS_H

#include "report.h"

/* What each source line did, with pictures of a warp's requests where it wastes. A new reference; NULL: no kernels. */
json_t *html_kernels(const struct report_lab *lab);

/* The id of a place such as "compressed.cu:41". A new reference; NULL: the lab's kernels do not show that line. */
json_t *html_kernels_target(const struct report_lab *lab, const char *source);

#endif
