// 04/left: one place too far east
// −1 is forgotten; 04/split says of it today that the parity was.
// TODO(2): without a branch. (1 line)
left = i * pitch + jh + ((i + colour) & 1);
// END(2)
