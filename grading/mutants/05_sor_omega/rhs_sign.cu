// 05/sweep: −f instead of f
// The right-hand side is subtracted.
// INSTEAD OF: sum.at[m] = (((west + east) + north.at[m]) + south.at[m]) + source.at[m];
sum.at[m] = (((west + east) + north.at[m]) + south.at[m]) - source.at[m];
// END(1)
