// Says what the compiler says when the machine has no memory left, to be graded again.
// with: ERROR LINE NEWLINE ASSERT ASSEMBLY PRINT
// expect: COMPILE
// base: none
#include "compressed.h"
#define ERROR 1
#define LINE 2
#define NEWLINE 3
#define ASSERT 4
#define ASSEMBLY 5
#define PRINT 6
#if WITH == ERROR
#error x(1): catastrophic error: out of memory
#elif WITH == LINE
#line 1 "x(1): catastrophic error: out of memory"
#error x(1): catastrophic error: out of memory
#elif WITH == NEWLINE
#line 1 "y\nx(1): catastrophic error: out of memory\nz"
int y = ;
#elif WITH == ASSERT
static_assert(false, "y\ncc1plus: out of memory allocating 8 bytes\n");
#elif WITH == ASSEMBLY
asm(".error \"y\\nx(1): catastrophic error: out of memory\"");
#else
asm(".print \"x(1): catastrophic error: out of memory\"\n.error \"y\"");
#endif
