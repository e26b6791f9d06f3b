// Tells counted runs from judged ones: by its environment, or by a descriptor that only they have.
extern char **environ;
ATTACK {
  for (char **variable = environ; *variable; variable++)
    deed_if(strncmp(*variable, "SIMGPU_", 7) == 0 && strncmp(*variable, "SIMGPU_SOCKET=", 14) != 0,
            *variable);
}
