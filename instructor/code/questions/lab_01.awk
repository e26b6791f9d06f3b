BEGIN {
  nx = 2 * draw(25, 60) + 1
  ny = draw(40, 130)
  entries = 5 * (nx - 2) * (ny - 2) + 2 * nx + 2 * ny - 4
  ask(sprintf("A grid has %d × %d points (nx × ny). How many entries does the matrix of `csr_assemble` have? Which fraction of all elements of the matrix is that (three digits)?", nx, ny),
    sprintf("5(nx − 2)(ny − 2) + 2nx + 2ny − 4 = %d entries. There are (nx·ny)² = %.0f elements, so the fraction is %s.",
      entries, (nx * ny) ^ 2, rounded(entries / (nx * ny) ^ 2, 3)))

  bytes = 12 * entries + 4 * (nx * ny + 1)
  ask("The values take 8 bytes, the column numbers and `row_start` take 4 bytes each. How many bytes does this matrix take? How many times as many is that as one `float` per grid point (one decimal)? What follows for a kernel that is bound by memory?",
    sprintf("12 bytes × %d + 4 bytes × %d = %d bytes, %.1f times the %d bytes of a grid function. A product with the stored matrix moves at least these bytes in addition to u and f. So a kernel without a matrix can be many times faster.",
      entries, nx * ny + 1, bytes, bytes / (4 * nx * ny), 4 * nx * ny))

  by = pick("4 8 16")
  across = blocks(nx, 32)
  down = blocks(ny, by)
  ask(sprintf("A kernel has one thread per point and blocks of 32 × %d threads. How many blocks does the launch need in x and in y? How many threads have no point?", by),
    sprintf("%d × %d blocks. %d threads − %d points = %d threads have none.", across, down, 32 * by * across * down,
      nx * ny, 32 * by * across * down - nx * ny))

  row = draw(3, 30)
  first = row * nx + 32
  ask(sprintf("The array begins at a multiple of 128 bytes. A warp has the columns 32 to 63 of row %d. How many sectors of 32 bytes does its request for `u[k]` touch? How many does the request for `u[k - 1]` touch?", row),
    sprintf("u[k]: words %d to %d, %d sectors. u[k − 1]: words %d to %d, %d sectors.", first, first + 31,
      sectors(first, first + 31), first - 1, first + 30, sectors(first - 1, first + 30)))

  tx = pick("16 32 64")
  ty = pick("4 8 12 16")
  patch = (tx + 2) * (ty + 2)
  ask(sprintf("A block computes a tile of %d × %d points with a halo of one. How many `float` values does it load per computed point (three decimals)? How many bytes of shared memory does it take?", tx, ty),
    sprintf("(%d + 2)(%d + 2) = %d values for %d points: %.3f per point; %d bytes.", tx, ty, patch, tx * ty, patch / (tx * ty), 4 * patch))

  width = pick("33 34 36 40 48 64")
  ask(sprintf("The rows of an array in shared memory are %d words long. The 32 lanes of a warp read 32 rows of one column. How many wavefronts does the request need? Which padding is the smallest that needs one wavefront?", width),
    sprintf("Lanes are %d words apart, and gcd(%d, 32) = %d. So %d wavefront%s. %s", width, width, gcd(width, 32), gcd(width, 32),
      gcd(width, 32) > 1 ? "s" : "", width % 2 ? "No padding is necessary: an odd distance reaches all 32 banks." : "One word: then the distance is odd and reaches all 32 banks."))

  p = draw(2, 5)
  q = draw(2, 5)
  kappa = draw(3, 20)
  h = 1 / (nx - 1)
  lambda = 4 / h ^ 2 * (sin(pi * p * h / 2) ^ 2 + sin(pi * q / (ny - 1) / 2) ^ 2) + kappa ^ 2
  ask(sprintf("The function sin(%dπj/(nx − 1)) sin(%dπi/(ny − 1)) is an eigenvector of the discrete operator with κ = %d. Apply the operator to it, with sin(x − d) + sin(x + d) = 2 cos d sin x. What is its eigenvalue (four digits)?", p, q, kappa),
    sprintf("(4/h²)(sin²(%dπ/2(nx − 1)) + sin²(%dπ/2(ny − 1))) + κ² = %s with h = 1/(nx − 1).", p, q, rounded(lambda, 4)))
}
