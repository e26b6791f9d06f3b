// 02/residual: stopped after 8 s of CPU time: does a loop never end?
// INSTEAD OF: for (int row = 0; row < rows; row++)
for (volatile int row = 0; row < rows; row += 0)
// END(3)
