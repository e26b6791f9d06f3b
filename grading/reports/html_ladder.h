/* Template members (report.html) for ladders. */
#pragma once

#include "report.h"

/* The ladders that have a rung of the submission. A new reference; NULL: none. */
json_t *html_ladder_list(const struct report *report);
