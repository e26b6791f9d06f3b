BEGIN {
  nx = draw(60, 200)
  ny = draw(60, 200)
  kappa = draw(0, 12)
  rho = radius(nx, ny, kappa)
  best = best_omega(rho)
  ask(sprintf("A grid has %d × %d points and κ = %d. What is the spectral radius ρ of the Jacobi matrix, which divides by the diagonal element 4 + κ²h² (six decimals)? What is the optimal ω (four decimals)?", nx, ny, kappa),
    sprintf("ρ = 2(cos π/(nx − 1) + cos π/(ny − 1))/(4 + κ²h²) = %.6f with h = 1/(nx − 1). ω_opt = 2/(1 + √(1 − ρ²)) = %.4f.", rho, best))

  digits = draw(4, 8)
  reduce = digits * log(10)
  ask(sprintf("How many sweeps reduce the error by a factor of 10^%d if each sweep multiplies it by the spectral radius: for Jacobi, for Gauss–Seidel, and for SOR with ω_opt?", digits),
    sprintf("Factors: %.6f, %.6f and ω_opt − 1 = %.6f. Sweeps: %d, %d and %d.", rho, rho ^ 2, best - 1, ceiling(-reduce / log(rho)),
      ceiling(-reduce / (2 * log(rho))), ceiling(-reduce / log(best - 1))))

  a = draw(1, 9)
  b = draw(1, 9)
  c = draw(1, 9)
  d = draw(1, 9)
  e = 4 * draw(1, 4)
  omega = draw(11, 18) / 10
  by_hand(omega, e)
  ask(sprintf("A grid of 4 × 4 points has u = 0 on the boundary, u = %d %d / %d %d in the interior and h²f = %d. What is u after one sweep with ω = %.1f, red first?", a, b, c, d, e, omega),
    sprintf("Red: %.6g at (1, 1) and %.6g at (2, 2). Black: %.8g at (1, 2) and %.8g at (2, 1).", a1, d1, b1, c1))

  n = draw(14, 26)
  optimum = best_omega(cos(pi / (n + 1)))
  list = answer = ""
  least = 0
  for (step = -3; step <= 2; step++) {
    omega = int(1000 * optimum + 0.5) / 1000 + step * 0.03
    count = sor_sweeps(n, omega, 1e-6)
    list = list sprintf("%s%.3f", list == "" ? "" : ", ", omega)
    answer = answer sprintf("%s%.3f: %d", answer == "" ? "" : "; ", omega, count)
    if (!least || count < least) {
      least = count
      fastest = omega
    }
  }
  ask(sprintf("Measure the number of sweeps to a relative residual of 1e-6 on %d × %d interior points: `./kit lab 05 solve --nx %d --check-every 1 --omega W` for W = %s. Compare the best of them with ω_opt.", n, n, n + 2, list),
    sprintf("ω_opt = %.4f. Sweeps until the tolerance is met: %s. The program prints them as `tolerance met after`. It converges one sweep later, because the next sweep is queued already. The best of the list is %.3f. ω_opt minimises the asymptotic convergence factor, so another ω can be faster to a given residual; below ω_opt the number rises faster than above it.", optimum, answer, fastest))

  given = int(100 * optimum) / 100 - 0.1
  ask(sprintf("A user takes ω = %.2f for this grid, because \"a rough value is enough\". What is the spectral radius of a sweep in theory (four decimals)? What is it at ω_opt? How many times as many sweeps follow (one decimal)?", given),
    sprintf("Below ω_opt it is the largest λ with (λ + ω − 1)² = λω²ρ²: %.4f for ρ = cos(π/%d). At ω_opt it is ω_opt − 1 = %.4f. The ratio of the logarithms is %.1f.", below(given, cos(pi / (n + 1))), n + 1, optimum - 1, log(optimum - 1) / log(below(given, cos(pi / (n + 1))))))

  shrink = draw(80, 95) / 100
  away = draw(10, 40) / 10000
  for (m = 0; m < 3; m++)
    estimate[m] = sprintf("%.6f", cos(pi / 60) - away * shrink ^ m)
  limit = estimate[2] - (estimate[2] - estimate[1]) ^ 2 / (estimate[2] - 2 * estimate[1] + estimate[0])
  ask(sprintf("Power iteration on B² gives the estimates %s, %s and %s for ρ. Which limit does Aitken's Δ² process give (four decimals)? How far is the last estimate from it, relative to 1 − ρ (two digits)? Would you stop because the last change is only %.6f?", estimate[0], estimate[1], estimate[2], estimate[2] - estimate[1]),
    sprintf("x₂ − (x₂ − x₁)²/(x₂ − 2x₁ + x₀) = %.4f. The last estimate is %s·(1 − ρ) away. No: the change shrinks slowly, so a small change does not mean a small error.", limit, rounded((limit - estimate[2]) / (1 - limit), 2)))
}

# The largest eigenvalue of SOR below ω_opt: √λ is the larger root of x² − ωρx + ω − 1 = 0.
function below(omega, rho, x) {
  x = (omega * rho + sqrt(omega * omega * rho * rho - 4 * (omega - 1))) / 2
  return x * x
}
