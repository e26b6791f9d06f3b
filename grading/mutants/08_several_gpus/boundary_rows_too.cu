// 08/rows: GPU 0 of 1 has 12 rows from row 0 on: expected at least one of the interior rows 1 to 10, and row 1 to be its first
// The boundary is split, too.
// TODO(1): split rows 1 to ny - 2 so that the parts differ by at most one row. (about 4 lines)
*first = gpu * ny / gpus;
*count = (gpu + 1) * ny / gpus - *first;
return 0;
// END(1)
