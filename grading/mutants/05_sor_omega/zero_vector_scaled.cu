// 05/radius: B²x is zero here
// Divides by the norm of a vector that has become zero.
// INSTEAD OF: if (after == 0) { // B² has only the eigenvalue 0
if (false) {
// END(0)
