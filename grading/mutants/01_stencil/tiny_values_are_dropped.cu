// 01/tiled: u random, times 2⁻¹²⁴ or less
// INSTEAD OF: r = (4 * u - west - east - north - south) * inv_h2;
r = (4 * u - west - east - north - south) * inv_h2;
r = fabsf(r) < 1e-15f ? 0 : r;
// END(2)
