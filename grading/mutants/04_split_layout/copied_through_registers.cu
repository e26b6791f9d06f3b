// 04/pipelined: no cp.async copies B
// copy_b loads and stores, without any asynchronous copy.
// TODO(5): the mover's four entries, by __pipeline_memcpy_async; 0 past B's end. (about 9 lines)
store_four(&tiles.b[me.b_row][me.b_column],
           load_entries<ALIGNED>(p.b, p.k, p.n, k + me.b_row, blockIdx.x *TILE + me.b_column));
// END(5)
