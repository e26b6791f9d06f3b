// 03/index: row 0, jh 1: expected column 2, got 0
// & binds less than +: 2 jh takes part in the masking.
// TODO(1): from the parities of row and colour, without a branch. (1 line)
j = 2 * jh + (i + colour) & 1;
// END(1)
