// 04/left: all rows have the same shift: the parity of i + colour decides
// 04/split: a sweep with the left neighbour at jh − 1 in every row: the parity of i + colour is ignored
// The west neighbour at k - 1 in every row.
// TODO(2): without a branch. (1 line)
left = i * pitch + jh - 1;
// END(2)
