// Row 10: asks which files the grader's machine has, and lets the program answer.
// with: SECRET SOLUTION HIDDEN
#define SECRET 1
#define SOLUTION 2
#define HIDDEN 3
#if WITH == SECRET && __has_include("@SECRET@/word")
#define ANSWER 1
#elif WITH == SOLUTION && __has_include("@KIT@/solutions/03_compressed/compressed.cu")
#define ANSWER 1
#elif WITH == HIDDEN && __has_include("@KIT@/grading/suites/suite_03_compressed.c")
#define ANSWER 1
#else
#define ANSWER 0
#endif
ATTACK { deed_if(ANSWER, "the compiler tells which files exist"); }
