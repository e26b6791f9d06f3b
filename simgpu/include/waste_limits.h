/* A source line above one of these limits gets a remark. The simulated GPU's reports, the grader's reports
 * and its pages use the same limits. */
#pragma once

/* Sectors, or wavefronts of shared memory, divided by the fewest possible. A row of floats that starts within
 * a sector uses five sectors instead of four; this does not count as waste. */
#define WASTE_LIMITS_ACCESS 1.3
#define WASTE_LIMITS_IDLE 0.25      /* of the lanes */
#define WASTE_LIMITS_DIVERGENT 0.25 /* of the branches */
