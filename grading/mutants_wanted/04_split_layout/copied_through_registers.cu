// 04/pipelined: no cp.async
// copy_b loads and stores, without any asynchronous copy.
// TODO(5): as load_b and put_b, by __pipeline_memcpy_async; 0 beyond B. (about 9 lines)
put_b(tiles, load_b<ALIGNED>(p, k));
// END(5)
