/* When the CPU time of the program is used up, one line on standard error says at which line of the submission the
 * host was: endless_words.h. */
#pragma once

void endless_watch(void);
