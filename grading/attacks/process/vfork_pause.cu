// Row 15: the parent of a vfork waits in state D, which counts as busy, so no limit of CPU or idle time stops it.
// expect: TIMEOUT
// seconds: 240
ATTACK {
  if (!vfork())
    for (;;)
      pause();
}
