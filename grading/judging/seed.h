/* The seed of everything that the suites draw, so that a program cannot know its inputs. */
#pragma once

/* From 1 to INT_MAX, from the system's random numbers. Ends the program if there are none. */
int seed_draw(void);
