// Row 10: reads the environments of other processes.
static void show(pid_t process) {
  char path[64], text[8192];
  snprintf(path, sizeof path, "/proc/%d/environ", process);
  const int file = open(path, O_RDONLY);
  const ssize_t length = file < 0 ? 0 : read(file, text, sizeof text - 1);
  for (ssize_t n = 0; n < length; n++)
    if (strncmp(text + n, "CANARY=", 7) == 0) {
      fprintf(stderr, "%s\n", text + n);
      _exit(1);
    }
}
ATTACK { for_each_process(show); }
