// 02/residual: stopped after 4 s of CPU time: does a loop never end?
// 02/residual at: for (volatile int row = 0
// INSTEAD OF: for (int row = 0; row < rows; row++)
for (volatile int row = 0; row < rows; row += 0)
  ;
for (int row = 0; row < rows; row++)
// END(3)
