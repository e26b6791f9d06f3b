// 01/naive: u(i, j−1) has the factor −2 instead of −1, u(i, j+1) has the factor 0 instead of −1
// 01/tiled: u(i, j−1) has the factor −2 instead of −1, u(i, j+1) has the factor 0 instead of −1
// INSTEAD OF: r = (4 * u - west - east - north - south) * inv_h2;
r = (4 * u - west - west - north - south) * inv_h2;
// END(2)
