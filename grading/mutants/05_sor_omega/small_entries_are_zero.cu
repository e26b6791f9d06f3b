// 05/matrix: 1e-12
// Entries below 1e-10 count as zero, whatever the diagonal is.
// INSTEAD OF: sum -= value[e] * x[column[e]];
sum -= fabs(value[e]) > 1e-10 ? value[e] * x[column[e]] : 0;
// END(0)
