// 01/marching: the north neighbour of (4, 1) is read from (4, 1) instead of (3, 1)
// The rows move on in the wrong order.
// INSTEAD OF: rows[0] = rows[MARCH_STEP];
rows[0] = rows[MARCH_STEP + 1];
// END(0)
