// Includes what the compiler's jail holds, by relative paths, through /proc and by the names of its own files.
// with: PARENT CWD EXE MAPS CMDLINE FD DEVICE_FD OBJECT MOUNTS
// expect: COMPILE UNWRITTEN WRONG
#define PARENT 1
#define CWD 2
#define EXE 3
#define MAPS 4
#define CMDLINE 5
#define FD 6
#define DEVICE_FD 7
#define OBJECT 8
#define MOUNTS 9
#if WITH == PARENT
#include "../../../../../../../../srv/secret/word"
#elif WITH == CWD
#include "/proc/self/cwd/../../solutions/03_compressed/compressed.cu"
#elif WITH == EXE
#include "/proc/1/root/srv/secret/word"
#elif WITH == MAPS
#include "/proc/self/environ"
#elif WITH == CMDLINE
#include "/proc/1/cmdline"
#elif WITH == FD
#include "/proc/self/fd/3"
#elif WITH == DEVICE_FD
#include "/dev/fd/0"
#elif WITH == OBJECT
#include "program.o"
#else
#include "/proc/self/mountinfo"
#endif
