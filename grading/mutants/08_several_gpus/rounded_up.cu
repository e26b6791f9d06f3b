// 08/rows: 3 GPUs have from 2 to 4 rows: expected numbers that differ by at most 1
// Each GPU gets the rounded-up number of rows, and the last ones get what is left.
// TODO(1): split rows 1 to ny - 2 so that the parts differ by at most one row. (about 4 lines)
const int rows = ny - 2, each = (rows + gpus - 1) / gpus, before = gpu * each < rows ? gpu * each : rows;
*first = 1 + before;
*count = rows - before < each ? rows - before : each;
return 0;
// END(1)
