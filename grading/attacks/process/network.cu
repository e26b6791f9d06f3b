// Sees the network interfaces of the machine. The runner adds one called "canary".
ATTACK {
  char line[256];
  FILE *file = fopen("/proc/self/net/dev", "r");
  while (file && fgets(line, sizeof line, file))
    deed_if(strstr(line, "canary"), "the program is in the network of the machine");
}
