// Takes 6 GiB of memory: alone, or in eight processes that exceed the limit only together.
// expect: MEMORY
// with: ALONE FORKS
#define ALONE 1
#define FORKS 2
ATTACK {
  for (int n = 0; WITH == FORKS && n < 3; n++)
    fork();
  for (int n = 0; n < 6144 / (WITH == FORKS ? 8 : 1); n++) {
    volatile char *memory = (volatile char *)malloc(1 << 20);
    for (int k = 0; memory && k < 1 << 20; k += 4096)
      memory[k] = 1;
  }
  sleep(3);
  _exit(1);
}
