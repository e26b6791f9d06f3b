// Programs of the lab need no capabilities, and must not gain rights by executing a setuid file.
ATTACK {
  char line[256];
  FILE *file = fopen("/proc/self/status", "r");
  while (file && fgets(line, sizeof line, file)) {
    if (strncmp(line, "CapEff:", 7) == 0)
      deed_if(strtoull(line + 7, NULL, 16) != 0, "the program has capabilities");
    if (strncmp(line, "NoNewPrivs:", 11) == 0)
      deed_if(atoi(line + 11) == 0, "the program can gain rights");
  }
}
