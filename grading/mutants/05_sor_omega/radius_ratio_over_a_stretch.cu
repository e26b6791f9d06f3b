// 05/radius: the norms are those around 8 applications of B²: take them around one
// The first norm is that before the whole stretch.
// INSTEAD OF: if (m == stretch - 1)
if (m == 0)
// END(3)
