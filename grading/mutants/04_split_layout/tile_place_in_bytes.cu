// 04/tile: too large for its type?
// 04/pipelined: too large for its type?
// An int holds the number of an element, not the number of its byte.
// INSTEAD OF: store_four(p.c + row * p.n + column, load_four(values));
store_four((float *)((char *)p.c + ((row * p.n + column) << 2)), load_four(values));
// END(0)
