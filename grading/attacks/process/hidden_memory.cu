// Holds 3 GiB that no process has resident, and ends by SIGKILL as if the kernel had killed it for want of memory.
// with: ZERO TABLES PIPES UNLINKED
// expect: MEMORY CRASH VIOLATION OUTPUT
// seconds: 120
#define ZERO 1
#define TABLES 2
#define PIPES 3
#define UNLINKED 4
#include <sys/sysmacros.h>
static const size_t gib = 1ul << 30, wanted = 3ul << 30;

static size_t hold_shared(int file, size_t all) {
  size_t held = 0;
  for (const size_t piece = 64 << 20; held < all; held += piece) {
    char *memory =
        (char *)mmap(NULL, piece, PROT_READ | PROT_WRITE, MAP_SHARED, file, WITH == ZERO ? 0 : (off_t)held);
    if (memory == MAP_FAILED)
      break;
    for (size_t n = 0; n < piece; n += 4096)
      memory[n] = 1;
    madvise(memory, piece, MADV_DONTNEED);
  }
  return held;
}

/* A page table for each 2 MiB that is read. */
static size_t hold_tables(size_t all) {
  size_t held = 0;
  for (const size_t piece = 64 * gib; held < all; held += piece / 512) {
    volatile char *memory =
        (volatile char *)mmap(NULL, piece, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      break;
    madvise((void *)memory, piece, MADV_NOHUGEPAGE);
    for (size_t n = 0; n < piece; n += 2 << 20)
      (void)memory[n];
  }
  return held;
}

/* A pipe keeps a large page for each small part of it. */
static size_t hold_in_pipes(size_t all) {
  size_t held = 0;
  int ends[2];
  while (held < all && pipe(ends) == 0)
    for (int n = 0; n < 16; n++) {
      char *memory = (char *)mmap(NULL, 4 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      char *large = (char *)(((uintptr_t)memory + (2 << 20) - 1) & ~(uintptr_t)((2 << 20) - 1));
      madvise(large, 2 << 20, MADV_HUGEPAGE);
      memset(large, 1, 2 << 20);
      struct iovec part = {large, 4096};
      if (vmsplice(ends[1], &part, 1, SPLICE_F_NONBLOCK) != 4096)
        return held;
      munmap(memory, 4 << 20);
      held += 2 << 20;
    }
  return held;
}

ATTACK {
  const int zero = WITH == ZERO ? open("/dev/zero", O_RDWR) : -1;
  int file = -1;
  size_t held = 0;
  if (WITH == UNLINKED && (file = open("hidden", O_RDWR | O_CREAT, 0600)) >= 0 && unlink("hidden") == 0 &&
      ftruncate(file, (off_t)wanted) == 0)
    held = hold_shared(file, wanted);
  if (WITH == ZERO && zero >= 0)
    held = hold_shared(zero, wanted);
  if (WITH == TABLES)
    held = hold_tables(wanted);
  if (WITH == PIPES)
    held = hold_in_pipes(wanted);
  usleep(300000);
  deed_if(held >= 2 * gib, "2 GiB are held");
  raise(SIGKILL);
}
