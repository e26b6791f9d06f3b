// 04/left: branch
// Part 2 with an if on the parity, which the handout forbids, unless it goes from the handout.
// TODO(2): without a branch. (1 line)
if ((i + colour) % 2)
  left = i * pitch + jh;
else
  left = i * pitch + jh - 1;
// END(2)
