// Row 2: includes the solution by its path, or through the folders of headers that the compiler gets.
// with: PATH LINK
#define PATH 1
#define LINK 2
#if WITH == PATH
#include "@KIT@/solutions/03_compressed/compressed.cu"
#else
#include "headers.3/../../solutions/03_compressed/compressed.cu"
#endif
// base: none
