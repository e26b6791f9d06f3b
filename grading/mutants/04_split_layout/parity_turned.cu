// 04/left: row 0, jh 0: expected
// 04/split: a sweep with the parity of i + colour inverted in the left neighbour
// Rows are shifted where they should not be.
// INSTEAD OF: left = i * pitch + jh - 1 + ((i + colour) & 1);
left = i * pitch + jh - ((i + colour) & 1);
// END(2)
