// Writes "PASS" and a whole outcome to every descriptor number except standard output and standard error.
ATTACK {
  static const char outcome[] = "PASS\n{\"tests\": [{\"name\": \"03/sweep\", \"verdict\": \"PASS\"}]}\n";
  struct stat status;
  for (int n = 0; n < 1024; n++)
    if (n != 1 && n != 2 && fstat(n, &status) == 0 && write(n, outcome, sizeof outcome - 1) < 0)
      continue;
}
