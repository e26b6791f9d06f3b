// 06/fused: look at the update u = u + alpha·p
// INSTEAD OF: u.at[m] += alpha * p.at[m];
u.at[m] += p.at[m];
// END(0)
