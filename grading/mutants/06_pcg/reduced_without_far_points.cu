// 06/reduced: u(i−2, j) has the factor 0 instead of −0.249948
// INSTEAD OF: const double above = north_inside ? ((northwest + northeast) + north.far.at[m]) + centre : 0;
const double above = north_inside ? (northwest + northeast) + centre : 0;
// END(0)
