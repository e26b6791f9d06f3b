// 04/left: all places are one place too far east
// 04/split: both neighbours of the row one place too far east
// −1 is forgotten, not the parity.
// TODO(2): without a branch. (1 line)
left = i * pitch + jh + ((i + colour) & 1);
// END(2)
