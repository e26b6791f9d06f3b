// 05/radius: on larger grids it is the radius of sweeps with omega 1.5: B² is a sweep with omega 1
// B² is a sweep with ω = 1, not 1.5: the first case is not the one whose radius is 0, where x seems to be unscaled.
// INSTEAD OF: const auto step = [=] { return sweeps(g, 1.0, 1, h2f, u); };
const auto step = [=] { return sweeps(g, 1.5, 1, h2f, u); };
// END(3)
