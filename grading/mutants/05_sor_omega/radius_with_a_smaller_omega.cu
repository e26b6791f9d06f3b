// 05/radius: it is the radius of sweeps with omega 0.9: B² is a sweep with omega 1
// The estimates settle, at a wrong value.
// INSTEAD OF: const auto step = [=] { return sweeps(g, 1.0, 1, h2f, u); };
const auto step = [=] { return sweeps(g, 0.9, 1, h2f, u); };
// END(3)
