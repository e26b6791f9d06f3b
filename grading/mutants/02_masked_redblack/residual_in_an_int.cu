// 02/residual: it is the root of a whole number: is a sum or a term an int?
// INSTEAD OF: double sum = 0;
int sum = 0;
// END(0)
