// Row 20: a folder 3000 deep, which no path can name.
ATTACK {
  for (int n = 0; n < 3000 && mkdir("deep", 0700) == 0 && chdir("deep") == 0; n++)
    ;
  _exit(0);
}
