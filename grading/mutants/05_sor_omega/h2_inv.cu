// 05/sweep: f instead of h²·f
// The kernel of the source notes: 1/h² times the right-hand side.
// TODO(1): west and east of all points are WIDTH + 1 elements of the other colour. (about 14 lines)
constexpr int WIDTH = pack<Real>::WIDTH;
const int half = g.ny * g.pitch, k = p.i * g.pitch + p.jh;
const Real *other = u + (1 - p.colour) * half;
const bool shifted = (p.i + p.colour) & 1; // west is at k, east at k + 1; otherwise at k - 1 and k
const pack<Real> centre = load(other + k), north = load(other + k - g.pitch),
                 south = load(other + k + g.pitch);
const pack<Real> source = load(h2f + p.colour * half + k);
const Real edge = other[shifted ? k + WIDTH : k - 1];
for (int m = 0; m < WIDTH; m++) {
  const Real before = m > 0 ? centre.at[m - 1] : edge, after = m < WIDTH - 1 ? centre.at[m + 1] : edge;
  const Real west = shifted ? centre.at[m] : before, east = shifted ? after : centre.at[m];
  sum.at[m] = (((west + east) + north.at[m]) + south.at[m]) + (Real)(g.nx - 1) * (g.nx - 1) * source.at[m];
}
// END(1)
