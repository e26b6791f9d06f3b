// 05/sweep: f instead of h²·f
// The kernel of the source notes: 1/h² times the right-hand side.
// INSTEAD OF: sum.at[m] = (((west + east) + north.at[m]) + south.at[m]) + source.at[m];
sum.at[m] = (((west + east) + north.at[m]) + south.at[m]) + (Real)(g.nx - 1) * (g.nx - 1) * source.at[m];
// END(1)
