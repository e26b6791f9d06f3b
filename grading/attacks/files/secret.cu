// Reads files that only the grader may read: a secret, the solution, the rubric with hidden items, the suite.
// with: WORD SOLUTION RUBRIC SUITE SHADOW
#define WORD 0
#define SOLUTION 1
#define RUBRIC 2
#define SUITE 3
#define SHADOW 4
ATTACK {
  static const char *const paths[] = {"@SECRET@/word", "@KIT@/solutions/03_compressed/compressed.cu",
                                      "@KIT@/grading/rubric/03.cfg",
                                      "@BUILD@/grading/suites/suite_03_compressed", "/etc/shadow"};
  const int file = open(paths[WITH], O_RDONLY);
  char text[4096];
  const ssize_t length = file < 0 ? 0 : read(file, text, sizeof text - 1);
  if (length <= 0)
    return;
  text[length] = '\0';
  fprintf(stderr, "%.80s\n", text);
  deed("it can be read");
}
