// Rows 6 and 17: kills the parent, all processes, the process group of the parent, or every process by its number.
// with: PARENT ALL GROUP EACH
#define PARENT 1
#define ALL 2
#define GROUP 3
#define EACH 4
static void kill_one(pid_t process) { kill(process, SIGKILL); }
ATTACK {
  if (WITH == PARENT)
    kill(getppid(), SIGKILL);
  if (WITH == ALL)
    kill(-1, SIGKILL);
  if (WITH == GROUP)
    kill(-getpgid(getppid()), SIGKILL);
  if (WITH == EACH)
    for_each_process(kill_one);
}
