// 05/matrix: sums in float
// The sum of a row is in float.
// INSTEAD OF: double diagonal = 0, sum = 0;
double diagonal = 0;
float sum = 0;
// END(0)
