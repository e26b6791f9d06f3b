// Row 3: writes to every descriptor of other processes, through /proc.
static void take(pid_t process) {
  for (int n = 0; n < 64; n++) {
    char path[64];
    struct stat status;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", process, n);
    if (stat(path, &status) != 0 || S_ISCHR(status.st_mode) || S_ISDIR(status.st_mode))
      continue;
    const int file = open(path, O_WRONLY | O_NONBLOCK);
    if (file < 0 || write(file, "PASS\n", 5) != 5)
      continue;
    deed("a descriptor of another process can be written");
  }
}
ATTACK { for_each_process(take); }
