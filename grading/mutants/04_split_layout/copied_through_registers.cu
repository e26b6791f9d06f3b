// 04/pipelined: no cp.async copies B
// copy_b loads and stores, without any asynchronous copy.
// TODO(5): like load_b and put_b, but by __pipeline_memcpy_async; 0 past B's end. (about 9 lines)
put_b(tiles, load_b<ALIGNED>(p, k));
// END(5)
