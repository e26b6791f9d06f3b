// 04/split: are 0 < i < ny − 1 and 0 < j < nx − 1 tested for row i and column j?
// The limits of the column are those of jh: on 4 x 4 points this also changes the boundary.
// INSTEAD OF: if (i >= ny - 1 || j == 0 || j >= nx - 1)
if (i >= ny - 1 || jh == 0 || jh >= nx - 1)
// END(2)
