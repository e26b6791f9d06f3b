// 04/tile: NaN is computed: is a sum added to an entry of C that was not set to 0, or is an unwritten place read?
// INSTEAD OF: store_four(p.c + row * p.n + column, load_four(values));
for (int n = 0; n < FOUR; n++)
  atomicAdd(p.c + row * p.n + column + n, values[n]);
// END(4)
// INSTEAD OF: p.c[row * p.n + column + n] = values[n];
atomicAdd(p.c + row * p.n + column + n, values[n]);
// END(4)
