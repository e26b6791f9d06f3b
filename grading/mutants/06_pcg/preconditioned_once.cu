// 06/pcg: at z, which each iteration computes from its r
// z is computed before the first iteration alone.
// INSTEAD OF: part = precondition();                           // z = M⁻¹r
part = s->result->iterations ? 0 : precondition();
// END(0)
