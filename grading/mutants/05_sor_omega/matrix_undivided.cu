// 05/matrix: it is ρ if no row is divided: divide by the row's own diagonal element
// INSTEAD OF: y[row] = sum / diagonal;
y[row] = sum;
// END(3)
