// 05/mixed: 1/diagonal is computed in float
// The sweeps in float divide in float.
// INSTEAD OF: const Real inv_diagonal = (Real)g.inv_diagonal;
const Real inv_diagonal = 1 / (Real)g.diagonal;
// END(0)
