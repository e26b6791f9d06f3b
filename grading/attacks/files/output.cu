// The output is not an array: a link, a FIFO, a folder, a device; a header with a huge, negative or missing shape,
// another type or order; more or fewer bytes; NaN everywhere; 1 TiB without blocks.
// with: LINK ZERO FIFO FOLDER FULL HUGE NEGATIVE NO_SHAPE DEEP FORTRAN OBJECT LONGER SHORTER NOT_A_NUMBER SPARSE
// seconds: 120
#define LINK 0
#define ZERO 1
#define FIFO 2
#define FOLDER 3
#define FULL 4
#define HUGE 5
#define NEGATIVE 6
#define NO_SHAPE 7
#define DEEP 8
#define FORTRAN 9
#define OBJECT 10
#define LONGER 11
#define SHORTER 12
#define NOT_A_NUMBER 13
#define SPARSE 14
#define HEADER(descr, order, shape) "{'descr': '" descr "', 'fortran_order': " order ", 'shape': " shape ", }"
ATTACK {
  static const char *const headers[] = {
      "",
      "",
      "",
      "",
      "",
      HEADER("<f4", "False", "(99999999, 99999999)"),
      HEADER("<f4", "False", "(-65, 65)"),
      "{'descr': '<f4', 'fortran_order': False, }",
      "{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{",
      HEADER("<f4", "True", "(65, 65)"),
      HEADER("|O", "False", "(65, 65)"),
      HEADER("<f4", "False", "(65, 65)"),
      HEADER("<f4", "False", "(65, 65)"),
      HEADER("<f4", "False", "(65, 65)"),
      HEADER("<f4", "False", "(65, 65)")};
  const char *out = argument("--out");
  if (!out)
    return;
  unlink(out);
  if (WITH == LINK && symlink("@SECRET@/word", out) == 0)
    _exit(0);
  if (WITH == ZERO && symlink("/dev/zero", out) == 0)
    _exit(0);
  if (WITH == FIFO && mkfifo(out, 0600) == 0)
    _exit(0);
  if (WITH == FOLDER && mkdir(out, 0700) == 0)
    _exit(0);
  if (WITH == FULL && symlink("/dev/full", out) == 0)
    _exit(0);
  char header[118];
  snprintf(header, sizeof header, "%-117s", headers[WITH]);
  header[117] = '\n';
  const int file = open(out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int bytes = 65 * 65 * 4 + (WITH == LONGER ? 4096 : WITH == SHORTER ? -4 : 0);
  char *values = (char *)malloc(bytes);
  memset(values, WITH == NOT_A_NUMBER ? 0xff : 0, bytes);
  if (write(file, "\x93NUMPY\1\0\x76\0", 10) == 10 && write(file, header, sizeof header) > 0 &&
      write(file, values, bytes) > 0)
    _exit(WITH == SPARSE && ftruncate(file, INT64_C(1) << 40) != 0);
  _exit(0);
}
