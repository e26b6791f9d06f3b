// Style: one fmaf instead of a sum and a product: other bits for subnormal values alone.
// TODO(2): in the order of operations of split_layout.h. (1 line)
u = fmaf(0.25f, west + east + north + south, 0.25f * h2f);
// END(2)
