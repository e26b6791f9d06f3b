// 05/sweep: f instead of h²·f
// The right-hand side is multiplied by 1/h².
// INSTEAD OF: sum.at[m] = (((west + east) + north.at[m]) + south.at[m]) + source.at[m];
sum.at[m] = (((west + east) + north.at[m]) + south.at[m]) + (Real)(g.nx - 1) * (g.nx - 1) * source.at[m];
// END(1)
