// 04/left: they are those of the other colour: is the colour in the parity?
// The parity of the row without the colour: right for red.
// TODO(2): without a branch. (1 line)
left = i * pitch + jh - 1 + (i & 1);
// END(2)
