// 01/scale: scale: TODO(7): not written yet
// A file of version 1.0, which has no such function.
// INSTEAD OF: int scale(int count, float factor, const float *x, float *y) {
int another(int count, float factor, const float *x, float *y) {
  // END(7)
