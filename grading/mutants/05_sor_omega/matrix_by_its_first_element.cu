// 05/matrix: it is ρ if every row is divided by its first element: divide by the row's own diagonal element
// Of [3 1; 1 3] this makes √ρ, as if the ratio of norms had one root too many.
// INSTEAD OF: y[row] = sum / diagonal;
y[row] = sum / value[row_start[row]];
// END(3)
