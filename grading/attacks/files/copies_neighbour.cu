// Row 7: finds what a neighbour handed in.
// class
static int find(const char *path, const struct stat *status, int kind, struct FTW *place) {
  (void)status, (void)place;
  deed_if(kind == FTW_F && strstr(path, "/class/") && open(path, O_RDONLY) >= 0,
          "a neighbour's submission can be read");
  return 0;
}
ATTACK { nftw("/tmp", find, 16, FTW_PHYS); }
