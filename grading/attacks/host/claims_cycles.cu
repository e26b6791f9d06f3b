// Nothing is written. The program writes a history of as many cycles as a right one needs; SOLVED: also the solution,
// which the host computes.
// with: HISTORY SOLVED
// lab: 07
// expect: WRONG UNWRITTEN OUTPUT
#define HISTORY 1
#define SOLVED 2
enum { CYCLES = 7 };

static void solve(FILE *out, int n) {
  char header[128];
  double *u = (double *)calloc((size_t)n * n, sizeof *u), h2 = 1.0 / (n - 1) / (n - 1);
  for (int sweep = 0; sweep < 2000; sweep++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        double *at = u + i * n + j;
        *at += 1.97 * ((at[-1] + at[1] + at[-n] + at[n] + h2) / 4 - *at);
      }
  memset(header, ' ', sizeof header);
  const int length =
      snprintf(header, sizeof header,
               "\x93NUMPY\x01%cv%c{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }", 0, 0, n, n);
  header[length] = ' ';
  header[127] = '\n';
  fwrite(header, 1, sizeof header, out);
  fwrite(u, sizeof *u, (size_t)n * n, out);
  fclose(out);
}

ATTACK {
  const char *csv = argument("--csv"), *out = argument("--out"), *n = argument("--nx");
  if (!csv || !out || !n)
    return;
  FILE *file = fopen(csv, "w");
  for (int k = 0; file && k <= CYCLES; k++)
    fprintf(file, "cycle,%d,nan\n", k);
  if (file)
    fclose(file);
  if (WITH == SOLVED)
    solve(fopen(out, "wb"), atoi(n));
  _exit(0);
}
