// Includes devices without an end, and itself.
// with: ZERO RANDOM FULL ITSELF STDIN
// expect: COMPILE
// seconds: 240
#define ZERO 1
#define RANDOM 2
#define FULL 3
#define ITSELF 4
#define STDIN 5
#if WITH == ZERO
#include "/dev/zero"
#elif WITH == RANDOM
#include "/dev/urandom"
#elif WITH == FULL
#include "/dev/full"
#elif WITH == STDIN
#include "/dev/stdin"
#else
#include __FILE__
#include __FILE__
#endif
