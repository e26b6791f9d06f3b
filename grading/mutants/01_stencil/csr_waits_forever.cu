// 01/csr: stopped after 4 s of CPU time: does a loop never end?
// 01/csr at: for (volatile int n = 1
// The host's loop counts in the wrong direction, and writes nothing: only the CPU time shows it.
// INSTEAD OF: row_start[nx * ny] = entries;
for (volatile int n = 1; n > 0;)
  ;
row_start[nx * ny] = entries;
// END(1)
