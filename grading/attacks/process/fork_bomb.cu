// Row 18: fork until the machine has no room. Stops by itself at 500 processes.
// expect: VIOLATION
ATTACK {
  for (int n = 0; n < 500 && fork() > 0; n++)
    ;
  for (;;)
    pause();
}
