BEGIN {
  nx = draw(101, 190)
  row = draw(5, 40)
  colour = draw(0, 1)
  block = draw(0, 2)
  mask = lanes = 0
  digits = ""
  for (lane = 31; lane >= 0; lane--) {
    j = 32 * block + lane
    on = 0 < j && j < nx - 1 && (row + j) % 2 == colour
    mask = 2 * mask + on
    if (on)
      touched[int((row * nx + j) / 8)] = 1
    lanes += on
    if (lane % 4 == 0) {
      digits = digits substr("0123456789abcdef", mask + 1, 1)
      mask = 0
    }
  }
  moved = 0
  for (sector in touched)
    moved++
  name = colour ? "black" : "red"
  ask(sprintf("The grid has nx = %d columns. A warp of `gs_masked_half_sweep` has the columns %d to %d of row %d, and the colour is %s. Write the mask of the active lanes as eight hexadecimal digits; lane 0 is the lowest bit.", nx, 32 * block, 32 * block + 31, row, name),
    sprintf("0x%s: %d active lanes. The condition is (i + j) %% 2 = %d and 0 < j < %d.", digits, lanes, colour, nx - 1))
  ask("The array h2f begins at a multiple of 128 bytes. How many sectors does the load of `h2f[k]` by these lanes touch? How many of the 32 bytes of a sector does it use on average (one decimal)?",
    sprintf("%d sectors; 4 bytes × %d lanes / %d sectors = %.1f bytes.", moved, lanes, moved, 4 * lanes / moved))

  n = draw(60, 250)
  h = 1 / (n + 1)
  digits_wanted = draw(3, 8)
  jacobi = cos(pi * h)
  ask(sprintf("A square grid has %d × %d interior points. By which factor does a sweep of Jacobi multiply the slowest error mode, and by which factor a sweep of Gauss–Seidel (six decimals)?", n, n),
    sprintf("h = 1/%d. Jacobi: cos πh = %.6f. Gauss–Seidel: cos² πh = %.6f.", n + 1, jacobi, jacobi ^ 2))
  reduce = digits_wanted * log(10)
  ask(sprintf("After how many sweeps of each method is this mode 10^%d times smaller? By which factor do the two numbers grow when the number of points per row doubles?", digits_wanted),
    sprintf("Jacobi: %d sweeps. Gauss–Seidel: %d sweeps. Both grow by a factor of about 4.", ceiling(-reduce / log(jacobi)), ceiling(-reduce / (2 * log(jacobi)))))

  ny = draw(20, 50)
  ask(sprintf("What is the spectral radius of Jacobi on a grid of %d × %d points, boundary included (six decimals)?", nx, ny),
    sprintf("½(cos π/(nx − 1) + cos π/(ny − 1)) = %.6f.", radius(nx, ny, 0)))

  a = draw(1, 9)
  b = draw(1, 9)
  c = draw(1, 9)
  d = draw(1, 9)
  e = 4 * draw(1, 5)
  by_hand(1, e)
  ask(sprintf("A grid of 4 × 4 points has u = 0 on the boundary, u = %d %d / %d %d in the interior, and h²f = %d. What is u after one sweep of Gauss–Seidel, red first?", a, b, c, d, e),
    sprintf("Red: %.4g at (1, 1) and %.4g at (2, 2). Black: %.8g at (1, 2) and %.8g at (2, 1).", a1, d1, b1, c1))
}
