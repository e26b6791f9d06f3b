// Little text that takes the compiler long, or much memory, or makes it print without end.
// with: TEMPLATE MACRO CONSTEXPR ARRAY VALUES UNROLLED ERRORS WARNINGS NESTED
// expect: COMPILE UNWRITTEN WRONG MEMORY CRASH
// seconds: 200
#define TEMPLATE 1
#define MACRO 2
#define CONSTEXPR 3
#define ARRAY 4
#define VALUES 5
#define UNROLLED 6
#define ERRORS 7
#define WARNINGS 8
#define NESTED 9
#define TEN(x) x x x x x x x x x x
#define THOUSAND(x) TEN(TEN(TEN(x)))
#if WITH == TEMPLATE
template <int n, int m> struct bomb {
  static const int value = bomb<n - 1, 2 * m>::value + bomb<n - 1, 2 * m + 1>::value;
};
template <int m> struct bomb<0, m> { static const int value = 1; };
int value = bomb<26, 0>::value;
#elif WITH == MACRO
const char *text = THOUSAND(THOUSAND(THOUSAND("x")));
#elif WITH == CONSTEXPR
constexpr int loop(int n) { return n < 2 ? n : loop(n - 1) + loop(n - 2); }
constexpr int value = loop(45);
#elif WITH == ARRAY
char array[UINT64_C(1) << 40];
ATTACK { array[UINT64_C(1) << 39] = 1; }
#elif WITH == VALUES
int values[1 << 28] = {1};
#elif WITH == UNROLLED
__global__ void unrolled(float *u) { THOUSAND(THOUSAND(*u = *u * 3 + 1; u++;)) }
#elif WITH == ERRORS
THOUSAND(THOUSAND(x;))
#elif WITH == WARNINGS
THOUSAND(THOUSAND(extern int undefined; static int __attribute__((unused)) f(void);))
#else
int value = THOUSAND(THOUSAND(-~)) 1;
#endif
