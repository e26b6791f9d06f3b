/* The seed of everything that the suites draw, so that a program cannot know its inputs. */
#ifndef SEED_H
#define SEED_H

/* From 1 to INT_MAX, from the system's random numbers. Ends the program if there are none. */
int seed_draw(void);

#endif
