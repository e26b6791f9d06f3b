// 01/naive: u random, and half of them 0
// A u is taken for zero where u is: few random values are zero.
// INSTEAD OF: r = (4 * u - west - east - north - south) * inv_h2;
r = u == 0 ? 0 : (4 * u - west - east - north - south) * inv_h2;
// END(2)
