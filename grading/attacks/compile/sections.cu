// The linker and the loader do what sections say: code before all constructors, an interpreter of its own (a program
// that cannot be started looks like a fault of the machine), a resolver of an IFUNC, an executable stack.
// with: PREINIT INIT INTERPRETER MISSING IFUNC BSS
#define PREINIT 1
#define INIT 2
#define INTERPRETER 3
#define MISSING 4
#define IFUNC 5
#define BSS 6
#if WITH == PREINIT
#define WITH_SECTION ".preinit_array"
#elif WITH == INIT
#define WITH_SECTION ".init_array.00001"
#elif WITH == INTERPRETER
#define WITH_SECTION "/bin/true"
#else
#define WITH_SECTION "/no/such/interpreter"
#endif
#if WITH == PREINIT || WITH == INIT
extern "C" void begins(void) { _exit(0); }
asm(".section " WITH_SECTION ",\"aw\"\n.quad begins\n.text\n");
#elif WITH == INTERPRETER || WITH == MISSING
asm(".section .interp,\"a\"\n.string \"" WITH_SECTION "\"\n.text\n");
#elif WITH == IFUNC
extern "C" void *choose(void) { _exit(0); }
extern "C" int chosen(void) __attribute__((ifunc("choose")));
int (*volatile pointer)(void) = chosen;
#else
char array[UINT64_C(1500) << 20];
ATTACK { array[UINT64_C(1) << 30] = 1; }
#endif
