// 04/split: h2f is not multiplied by
// The mean of the neighbours, plus h2f.
// TODO(2): in the order of operations of split_layout.h. (1 line)
u = (west + east + north + south) * 0.25f + h2f;
// END(2)
