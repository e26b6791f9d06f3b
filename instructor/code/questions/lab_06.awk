BEGIN {
  n = draw(60, 500)
  h = 1 / (n + 1)
  condition = 1 / tangent(pi * h / 2) ^ 2
  ask(sprintf("What is the condition number of A on %d × %d interior points with κ = 0 (four digits)?", n, n),
    sprintf("The eigenvalues are (4/h²)(sin² pπh/2 + sin² qπh/2), so K = cot²(πh/2) = %s with h = 1/%d. (2(n + 1)/π)² is almost the same.", rounded(condition, 4), n + 1))

  digits = draw(4, 9)
  root = sqrt(condition)
  bound = ceiling(log(2 * 10 ^ digits) / log((root + 1) / (root - 1)))
  ask(sprintf("After how many iterations does the bound of the theory page guarantee that the A-norm of the error of CG is 10^%d times smaller? Why can CG be faster?", digits),
    sprintf("The smallest m with 2((√K − 1)/(√K + 1))^m ≤ 10^−%d is %d. The bound knows only the largest and the smallest eigenvalue. CG profits from gaps in the spectrum, and from modes that the right-hand side does not contain.", digits, bound))

  small = draw(14, 30)
  ask(sprintf("Measure the iterations of CG to a relative residual of 1e-6 on %d × %d interior points: `./kit lab 06 --method cg --nx %d`. How many does the reduced system take, and why?", small, small, small + 2),
    sprintf("CG: %d iterations (one more or less is rounding). The reduced system takes about half of them. With h² = 1, A/4 has its eigenvalues in pairs 1 ± μ, and the reduced system, divided by 4, has the eigenvalue 1 − μ² once for each pair.", cg_iterations(small, 1e-6)))

  kappa = draw(2, 30)
  nx = draw(33, 129)
  diagonal = 4 + (kappa / (nx - 1)) ^ 2
  ask(sprintf("κ = %d and h = 1/%d. Eliminate the red points: insert their equations into that of a black point. Which coefficients does the equation of a black point far from the boundary have: at the point itself, at its diagonal neighbours, and at the points two steps away (six decimals)? The equation is scaled so that the diagonal was 4 + κ²h² before.", kappa, nx - 1),
    sprintf("d = 4 + κ²h² = %.6f. Centre d − 4/d = %.6f, diagonal −2/d = %.6f, two steps away −1/d = %.6f.", diagonal, diagonal - 4 / diagonal, -2 / diagonal, -1 / diagonal))

  a = draw(1, 9)
  b = draw(1, 9)
  c = draw(1, 9)
  d = draw(1, 9)
  black = (a + d) / 4
  ask(sprintf("A grid of 4 × 4 points has D⁻¹r = %d %d / %d %d in the interior. What is z = M⁻¹r for red-black SSOR with ω = 1?", a, b, c, d),
    sprintf("Forward, black: %.6g at (1, 2) and %.6g at (2, 1). Backward, red: %.6g at (1, 1) and %.6g at (2, 2).", b + black, c + black, a + (b + c + 2 * black) / 4, d + (b + c + 2 * black) / 4))

  reduced_ms = draw(10, 60) / 100
  iteration_ms = 3 * reduced_ms
  size = 1024
  most = (837 * reduced_ms / 120 - iteration_ms) / (2 * (2 * size - 1))
  ask(sprintf("At n = 1024 the natural ordering takes 120 iterations and the reduced system takes 837. An iteration of the reduced system takes %.2f ms. An iteration in the natural ordering takes %.2f ms and two sweeps of 2n − 1 diagonals. How long may a diagonal take at most, if the natural ordering is to win (three digits, in µs)? Compare this with the time of a launch.", reduced_ms, iteration_ms),
    sprintf("(837·%.2f/120 − %.2f) ms / (2·2047) = %s µs. A launch takes more than a microsecond, even in a graph. So one launch per diagonal is too slow.", reduced_ms, iteration_ms, rounded(1000 * most, 3)))

  points = 1024 * draw(2, 10)
  bandwidth = draw(12, 40) / 10
  ask(sprintf("A device moves %.1f TB/s. An iteration of the fused loop moves 64 bytes per point, and one of a CG that stores A p and updates u at once moves 80 bytes. What are the shortest times of both on %d × %d points (three digits)?", bandwidth, points, points),
    sprintf("%s ms and %s ms.", rounded(64e3 * points * points / (bandwidth * 1e12), 3), rounded(80e3 * points * points / (bandwidth * 1e12), 3)))
}
