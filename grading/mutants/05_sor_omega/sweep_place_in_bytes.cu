// 05/sweep: is an index, a number of points or a number of bytes too large for its type?
// The place of a double is counted in bytes in 32 bits.
// INSTEAD OF: pack<Real> value = load(own);
const unsigned place = index_of(g, colour, i, jh) * sizeof(Real);
own = (Real *)((char *)u + place);
pack<Real> value = load(own);
// END(0)
