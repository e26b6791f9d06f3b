// 04/split: values do not match bit for bit
// North before west: correct, but not bit for bit.
// TODO(2): in the order of operations of split_layout.h. (1 line)
u = (north + west + east + south + h2f) * 0.25f;
// END(2)
