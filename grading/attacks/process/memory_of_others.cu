// Row 3: opens the memory of other processes for writing.
static void take(pid_t process) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/mem", process);
  deed_if(open(path, O_RDWR) >= 0, "the memory of another process can be written");
}
ATTACK { for_each_process(take); }
