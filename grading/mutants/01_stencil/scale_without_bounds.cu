// 01/scale: out-of-bounds
// The last block writes past the end of y.
// INSTEAD OF: if (k < count)
// END(7)
