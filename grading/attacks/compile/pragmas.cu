// Text for the compiler's other inputs: pragmas that change how the lab's headers are read, poisoned names, a response
// file, errors of the compiler or the linker that name no source, which a broken machine could cause, too.
// with: POISON PACK RENAME PUSH RESPONSE ASM_FILE ASM_SECTION VERSION ALIAS
// expect: COMPILE WRONG CRASH UNWRITTEN
#define POISON 1
#define PACK 2
#define RENAME 3
#define PUSH 4
#define RESPONSE 5
#define ASM_FILE 6
#define ASM_SECTION 7
#define VERSION 8
#define ALIAS 9
#if WITH == POISON
#pragma GCC poison size_t int float
#elif WITH == PACK
#pragma pack(1)
#define const
#define float double
#elif WITH == RENAME
#define launch_geometry main
#elif WITH == PUSH
#pragma redefine_extname compressed_columns exit
#pragma weak unwritten_check
#elif WITH == RESPONSE
#include "@/proc/self/cmdline"
#elif WITH == ASM_FILE
__asm__(".file \"/srv/secret/word\"\n.loc 1 1\n.bogus");
#elif WITH == VERSION
__asm__(".symver launch_geometry,geometry@@SECRET_1");
#elif WITH == ALIAS
#pragma weak error_die = abort
#else
__asm__(".section .init_array,\"aw\"\n.quad _exit\n.previous\n.globl main\n.set main, _exit\n");
#endif
