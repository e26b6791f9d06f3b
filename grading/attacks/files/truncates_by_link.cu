// Row 8: puts links to another file where the grader will write.
ATTACK {
  static const char *const names[] = {"stdout.txt",  "stderr.txt",   "out.npy",
                                      "finding.txt", "checks.csv",   "remark.txt",
                                      ".probe",      "counters.csv", "outcomes.json"};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    unlink(names[n]);
    if (symlink("@SECRET@/victim", names[n]) != 0)
      continue;
  }
  _exit(1);
}
