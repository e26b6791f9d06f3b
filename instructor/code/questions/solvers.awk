# The solvers of labs 05 and 06 on small grids, in double: the number of sweeps or iterations to a relative residual.
# The problem is −Δu = 1 on n × n interior points, u = 0 at the start and on the boundary.

function start(n, k) {
  for (k = 0; k < (n + 2) * (n + 2); k++)
    u[k] = 0
  h2 = 1 / ((n + 1) * (n + 1)) # h²f
}

function neighbours(v, k, n) { return v[k - 1] + v[k + 1] + v[k - n - 2] + v[k + n + 2] }

# The norm of the residual divided by the norm of f: both times h².
function relative_residual(n, i, j, k, r, sum) {
  sum = 0
  for (i = 1; i <= n; i++)
    for (j = 1; j <= n; j++) {
      k = i * (n + 2) + j
      r = h2 + neighbours(u, k, n) - 4 * u[k]
      sum += r * r
    }
  return sqrt(sum) / (h2 * n)
}

function half_sweep(n, omega, colour, i, j, k) {
  for (i = 1; i <= n; i++)
    for (j = 1 + (i + 1 + colour) % 2; j <= n; j += 2) {
      k = i * (n + 2) + j
      u[k] = (1 - omega) * u[k] + omega * 0.25 * (neighbours(u, k, n) + h2)
    }
}

# Sweeps of red-black SOR until the relative residual is at most the tolerance, which is tested after each sweep.
function sor_sweeps(n, omega, tolerance, sweeps) {
  start(n)
  for (sweeps = 0; relative_residual(n) > tolerance; sweeps++) {
    half_sweep(n, omega, 0)
    half_sweep(n, omega, 1)
  }
  return sweeps
}

# Iterations of conjugate gradients, without a preconditioner.
function cg_iterations(n, tolerance, i, j, k, m, rho, old, curvature, alpha, first, r, p, q) {
  start(n)
  rho = 0
  for (k in u)
    r[k] = p[k] = 0
  for (i = 1; i <= n; i++)
    for (j = 1; j <= n; j++) {
      k = i * (n + 2) + j
      r[k] = p[k] = h2
      rho += h2 * h2
    }
  first = rho
  for (m = 0; sqrt(rho / first) > tolerance; m++) {
    curvature = 0
    for (i = 1; i <= n; i++)
      for (j = 1; j <= n; j++) {
        k = i * (n + 2) + j
        q[k] = 4 * p[k] - neighbours(p, k, n)
        curvature += p[k] * q[k]
      }
    alpha = rho / curvature
    old = rho
    rho = 0
    for (k in q) {
      u[k] += alpha * p[k]
      r[k] -= alpha * q[k]
      rho += r[k] * r[k]
    }
    for (k in q)
      p[k] = r[k] + rho / old * p[k]
  }
  return m
}

# One step by hand on 4 × 4 points with the interior a b / c d: red is a and d.
function by_hand(omega, e) {
  a1 = (1 - omega) * a + omega * (b + c + e) / 4
  d1 = (1 - omega) * d + omega * (b + c + e) / 4
  b1 = (1 - omega) * b + omega * (a1 + d1 + e) / 4
  c1 = (1 - omega) * c + omega * (a1 + d1 + e) / 4
}

function radius(nx, ny, kappa) { # of the Jacobi matrix, h = 1/(nx − 1)
  return 2 * (cos(pi / (nx - 1)) + cos(pi / (ny - 1))) / (4 + kappa * kappa / ((nx - 1) * (nx - 1)))
}

function best_omega(rho) { return 2 / (1 + sqrt((1 - rho) * (1 + rho))) }
