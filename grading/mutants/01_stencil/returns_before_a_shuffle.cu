// 01/marching: lanes 1-31 have returned, at line
// INSTEAD OF: march_row rows[MARCH_STEP + 2]; // i-1, i, and the next MARCH_STEP
if (j >= nx)
  return;
march_row rows[MARCH_STEP + 2]; // i-1, i, and the next MARCH_STEP
// END(5)
