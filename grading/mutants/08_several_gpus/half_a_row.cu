// 08/exchange: holds no row of the grid
// The size of a float.
// INSTEAD OF: const size_t bytes = p->pitch * sizeof(double);
const size_t bytes = p->pitch * sizeof(float);
// END(0)
