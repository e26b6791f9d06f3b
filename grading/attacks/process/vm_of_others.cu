// Row 3: reads another process by process_vm_readv.
static void take(pid_t process) {
  char path[64], line[256] = "", byte;
  snprintf(path, sizeof path, "/proc/%d/maps", process);
  FILE *file = fopen(path, "r");
  if (!file || !fgets(line, sizeof line, file))
    return;
  struct iovec here = {&byte, 1}, there = {(void *)strtoul(line, NULL, 16), 1};
  deed_if(process_vm_readv(process, &here, 1, &there, 1, 0) == 1,
          "the memory of another process can be read");
}
ATTACK { for_each_process(take); }
