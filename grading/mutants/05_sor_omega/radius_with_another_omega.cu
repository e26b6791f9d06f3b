// 05/radius: radius, nx 5, ny 5, kappa 0
// B² is a sweep with ω = 1, not 1.5: the first case is not the one whose radius is 0, where x seems to be unscaled.
// INSTEAD OF: const auto step = [=] { return sweeps(g, 1.0, 1, h2f, u); };
const auto step = [=] { return sweeps(g, 1.5, 1, h2f, u); };
// END(3)
