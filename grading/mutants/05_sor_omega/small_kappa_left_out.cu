// 05/sweep: are wrong
// A κ²h² below 1e-7 is left out.
// INSTEAD OF: const Real inv_diagonal = (Real)g.inv_diagonal;
const Real inv_diagonal = g.diagonal < 4.0000001 ? (Real)0.25 : (Real)g.inv_diagonal;
// END(0)
