// Standard output and standard error: 1 TiB without blocks, 1 TiB of zeros, not text, or cut off as the grader reads.
// with: SPARSE FLOOD BINARY TRUNCATED
#define SPARSE 1
#define FLOOD 2
#define BINARY 3
#define TRUNCATED 4
ATTACK {
  static char text[1 << 20];
  for (size_t n = 0; WITH == BINARY && n < sizeof text; n++)
    text[n] = (char)(n * 2654435761u >> 13);
  for (int n = 1; n <= 2; n++) {
    if (WITH == SPARSE && (ftruncate(n, INT64_C(1) << 40) != 0 || lseek(n, INT64_C(1) << 39, SEEK_SET) < 0))
      continue;
    if (WITH == TRUNCATED && ftruncate(n, 0) != 0)
      continue;
    do
      if (write(n, text, sizeof text) < 0)
        break;
    while (WITH == FLOOD);
  }
  _exit(1);
}
