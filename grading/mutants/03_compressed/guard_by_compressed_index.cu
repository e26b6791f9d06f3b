// 03/sweep: a sweep that also changes the boundary column j = nx − 1
// A guard by the compressed index lets the last column pass where its offset is one.
// INSTEAD OF: if (0 < i && i < ny - 1 && 0 < j && j < nx - 1)
if (0 < i && i < ny - 1 && 0 < j && jh < nx / 2)
// END(3)
