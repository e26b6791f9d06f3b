// Style: part 2 with an if on the parity. The compiler makes a selection of it, without a branch.
// TODO(2): without a branch. (1 line)
if ((i + colour) % 2)
  left = i * pitch + jh;
else
  left = i * pitch + jh - 1;
// END(2)
