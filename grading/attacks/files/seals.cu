// Seals, shortens or punches holes into the files in memory that it shares with the suite; its inputs, too.
// with: SEAL PUNCH INPUT MAPPED
// base: solution
// points: 100
// expect: PASS WRONG CRASH UNWRITTEN
enum { SEAL, PUNCH, INPUT, MAPPED };
ATTACK {
  for (int n = 4; n < 12; n++) {
    if (WITH == SEAL)
      fcntl(n, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SEAL);
    if (WITH == PUNCH)
      fallocate(n, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 1 << 20);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", n);
    struct stat status;
    if (WITH == INPUT && fstat(n, &status) == 0 && status.st_size > 0)
      deed_if(truncate(path, 0) == 0 || pwrite(open(path, O_WRONLY), "x", 1, 0) == 1, "an input was changed");
    if (WITH == MAPPED && fstat(n, &status) == 0 && status.st_size > 0)
      deed_if(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, n, 0) != MAP_FAILED,
              "an input can be changed");
  }
}
