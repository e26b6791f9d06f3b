// Row 9: puts links to a secret where the grader reads lines for the report.
// with: remark shown verdict counted finding stderr stdout
#define TEXT(x) #x
#define NAME(x) TEXT(x)
ATTACK {
  static const char name[] = NAME(WITH) ".txt";
  unlink(name);
  if (symlink("@SECRET@/word", name) != 0)
    return;
  _exit(name[0] == 's' ? 1 : 0);
}
