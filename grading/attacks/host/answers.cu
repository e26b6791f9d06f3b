// Knows the answers: it reads where the suite keeps inputs and arguments, and prints what the contract's main would.
// with: COPY_INPUT TABLE ZERO
// points: 0
enum { COPY_INPUT, TABLE, ZERO };
static void copy(const char *from, const char *to) {
  char bytes[1 << 16];
  const int in = open(from, O_RDONLY), out = open(to, O_WRONLY);
  for (ssize_t some; (some = read(in, bytes, sizeof bytes)) > 0;)
    if (write(out, bytes, (size_t)some) != some)
      break;
}
ATTACK {
  const char *out = argument("--out"), *u = argument("--u");
  if (WITH == COPY_INPUT && out && u) {
    copy(u, out);
    _exit(0);
  }
  if (WITH == TABLE && out) {
    static const char header[] =
        "\x93NUMPY\x01\0v\0{'descr': '<i4', 'fortran_order': False, 'shape': (4, 3), }";
    int columns[12] = {0, 2, 4, 1, 3, 5, 0, 2, 4, 1, 3, 5};
    char text[128];
    memset(text, ' ', sizeof text);
    memcpy(text, header, sizeof header - 1);
    text[127] = '\n';
    const int file = open(out, O_WRONLY);
    if (write(file, text, 128) == 128 && write(file, columns, sizeof columns) > 0)
      _exit(0);
  }
  if (WITH == ZERO) {
    puts("block 32 8, grid 1 1");
    fflush(stdout);
    _exit(0);
  }
}
