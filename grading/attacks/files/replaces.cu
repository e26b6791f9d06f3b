// Row 5: changes the grader's own files, so that everyone after gets full marks, or nothing.
// with: SUITE RUBRIC MAIN GRADE LIBRARY DEVICE SOLUTION
#define SUITE 0
#define RUBRIC 1
#define MAIN 2
#define GRADE 3
#define LIBRARY 4
#define DEVICE 5
#define SOLUTION 6
ATTACK {
  static const char *const paths[] = {
      "@BUILD@/grading/suites/suite_03_compressed",
      "@KIT@/grading/rubric/03.cfg",
      "@BUILD@/grading/judged_programs/CMakeFiles/03_compressed_judged.dir/03_compressed.c.o",
      "@BUILD@/grading/grade",
      "@BUILD@/common/support/libsupport.a",
      "@BUILD@/bin/simgpu-device",
      "@KIT@/solutions/03_compressed/compressed.cu"};
  char other[PATH_MAX];
  snprintf(other, sizeof other, "%s.x", paths[WITH]);
  if (rename(paths[WITH], other) == 0)
    deed("a file of the grader can be replaced");
}
