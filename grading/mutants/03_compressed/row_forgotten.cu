// 03/index: row 1, jh 0: expected column 1, got 0
// 03/counters: the counters are as expected, but the checks found: row_forgotten.cu:
// The offset of the colour alone: every row is taken for an even one.
// TODO(1): from the parities of row and colour, without a branch. (1 line)
j = 2 * jh + colour;
// END(1)
