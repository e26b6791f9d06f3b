// Row 16: kills or stops the device, so that the grader takes it for broken: INFRA is a free attempt.
// with: KILL STOP
// base: solution
// hook
// points: 100
// expect: PASS CRASH VIOLATION TIMEOUT WRONG
// seconds: 200
#define KILL 9
#define STOP 19
static void end_device(pid_t process) {
  char path[64], name[64] = "";
  snprintf(path, sizeof path, "/proc/%d/comm", process);
  FILE *file = fopen(path, "r");
  if (file && fgets(name, sizeof name, file) && strncmp(name, "simgpu", 6) == 0)
    kill(process, WITH);
  if (file)
    fclose(file);
}
static void hook(void) { for_each_process(end_device); }
