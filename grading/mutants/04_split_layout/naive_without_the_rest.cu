// 04/naive: does the loop leave out terms that fill no whole step
// Four terms at a time; the last k mod 4 are left out.
// INSTEAD OF: for (int k = 0; k < p.k; k++)
for (int k = 0; k < p.k / 4 * 4; k++)
// END(0)
