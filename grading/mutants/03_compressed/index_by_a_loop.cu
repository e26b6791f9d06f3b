// 03/index: instructions for each 32 points: expected at most 400
// Counts up to the column, one by one.
// TODO(1): from the parities of row and colour, without a branch. (1 line)
j = (i + colour) & 1;
for (volatile int n = 0; n < jh; n = n + 1)
  j += 2;
// END(1)
