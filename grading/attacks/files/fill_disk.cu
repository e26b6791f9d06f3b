// Row 13: fills the disk, or takes all its inodes, in files of less than the limit of a file, and leaves them.
// with: BYTES INODES
#define BYTES 1
#define INODES 2
ATTACK {
  static char text[1 << 20];
  char path[64];
  static const char *const folders[] = {"", "/tmp/", "../../../"};
  memset(text, 'x', sizeof text);
  for (int n = 0; n < (WITH == BYTES ? 60 : 60000); n++) {
    snprintf(path, sizeof path, "%sfill.%d", folders[n % 3], n);
    const int file = open(path, O_WRONLY | O_CREAT, 0600);
    for (int k = 0; WITH == BYTES && k < 48; k++)
      if (write(file, text, sizeof text) < 0)
        break;
    close(file);
  }
  _exit(0);
}
