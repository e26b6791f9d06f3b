// Style: the parities of part 1 by branches, of which nvcc makes selections.
// TODO(1): from the parities of row and colour, without a branch. (1 line)
if (i % 2 == 0) {
  if (colour == 0)
    j = 2 * jh;
  else
    j = 2 * jh + 1;
} else {
  if (colour == 0)
    j = 2 * jh + 1;
  else
    j = 2 * jh;
}
// END(1)
