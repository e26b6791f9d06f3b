// Row 10: includes other files, so that the compiler's message shows their lines.
// with: WORD ENVIRONMENT RUBRIC SHADOW
#define WORD 1
#define ENVIRONMENT 2
#define RUBRIC 3
#define SHADOW 4
#if WITH == WORD
#include "@SECRET@/word"
#elif WITH == ENVIRONMENT
#include "/proc/self/environ"
#elif WITH == RUBRIC
#include "@KIT@/grading/rubric/03.cfg"
#else
#include "/etc/shadow"
#endif
