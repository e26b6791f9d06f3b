/* Allocation in the processes of the grader never returns NULL: a failure ends the process, which makes the item, or
 * the whole result, INFRA. out_of_memory.c takes the place of the C library's malloc(), also for the libraries that the
 * grader uses: some of them pass over a failure, and a text, an item or a need that is lost changes a grade. */
#pragma once

/* What ends the process; NULL: _exit(ERROR_STATUS). For a child that has yet to become another program, whose exit
 * status would be taken for that program's. */
extern void (*out_of_memory_end)(void);
