// A program that the kernel does not start: its ELF headers ask for what there is not.
// with: INTERPRETER RELATIVE DYNAMIC HUGE PROPERTY
// expect: COMPILE CRASH VIOLATION MEMORY UNWRITTEN WRONG
#define INTERPRETER 1
#define RELATIVE 2
#define DYNAMIC 3
#define HUGE 4
#define PROPERTY 5
#if WITH == INTERPRETER
extern "C" const char interp[] __attribute__((section(".interp"), used)) = "/x";
#elif WITH == RELATIVE
extern "C" const char interp[] __attribute__((section(".interp"), used)) = "proc/self/fd/1";
#elif WITH == DYNAMIC
extern "C" const long dynamic[] __attribute__((section(".dynamic"), used)) = {0x7fffffff, -1, 1, -1, 0, 0};
extern "C" const char interp[] __attribute__((section(".interp"), used)) = "";
#elif WITH == HUGE
__asm__(".section .bss.huge,\"aw\",@nobits\n.skip 0x3f00000000\n.previous");
#elif WITH == PROPERTY
__asm__(
    ".section .note.gnu.property,\"a\"\n.p2align 3\n.long 4,0x10,5\n.asciz \"GNU\"\n.long 0xc0000002,0xffffffff,0,0\n.previous");
#endif
