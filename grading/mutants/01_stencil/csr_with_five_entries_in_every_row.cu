// 01/csr: csr_assemble: writes beyond the end of column
// Rows of the boundary have zeros, too, for the neighbours that there are.
// INSTEAD OF: continue;
for (int n = 0; n < 4; n++) {
  column[entries] = k;
  value[entries++] = 0;
}
continue;
// END(0)
