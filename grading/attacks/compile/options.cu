// Names of files reach the compiler, not its options: quotes and a shell's words in __FILE__ and #pragma.
// expect: UNWRITTEN WRONG COMPILE
#pragma GCC diagnostic ignored "-Wall"
#pragma message("$(touch /tmp/x); `touch /tmp/x`")
#line 1 "$(touch /tmp/x)'; touch /tmp/x; '.cu"
ATTACK {}
