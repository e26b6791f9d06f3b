// 05/study: it is the square: the root of the sum is missing
// The history holds ratios of squares.
// INSTEAD OF: row[m] = sqrt(row[m]) / f_norm;
row[m] = row[m] / (f_norm * f_norm);
// END(0)
