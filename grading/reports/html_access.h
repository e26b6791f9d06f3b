/* Template members (report.html) for a request of a warp. */
#pragma once

#include <jansson.h>

/* The sectors or the banks that an access of a kernel in the result touches. A new reference; NULL: malformed. */
json_t *html_access(const json_t *access);
