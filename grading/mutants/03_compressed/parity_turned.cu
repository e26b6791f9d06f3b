// 03/index: row 0, jh 0: expected column 0, got 1
// Even and odd rows exchanged.
// TODO(1): from the parities of row and colour, without a branch. (1 line)
j = 2 * jh + 1 - ((i + colour) & 1);
// END(1)
