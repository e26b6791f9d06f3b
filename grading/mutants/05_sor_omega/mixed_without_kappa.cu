// 05/mixed: it equals corrections whose sweeps have kappa = 0: the diagonal is 4 + κ²h² in float, too
// The sweeps in float divide by 4.
// INSTEAD OF: const Real inv_diagonal = (Real)g.inv_diagonal;
const Real inv_diagonal = sizeof(Real) == sizeof(float) ? (Real)0.25 : (Real)g.inv_diagonal;
// END(0)
