// Row 10: reads the seed of the hidden inputs from the arguments of the suite.
static void show(pid_t process) {
  char path[64], text[8192];
  snprintf(path, sizeof path, "/proc/%d/cmdline", process);
  const int file = open(path, O_RDONLY);
  const ssize_t length = file < 0 ? 0 : read(file, text, sizeof text - 1);
  for (ssize_t n = 0; n < length; n++)
    deed_if(strncmp(text + n, "--seed", 6) == 0, "the seed can be read");
}
ATTACK { for_each_process(show); }
