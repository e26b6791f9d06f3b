# Interior points of a colour in columns 1 to columns and rows 1 to rows: red is (1, 1), and of an odd number one
# more is red.
function points_of(columns, rows, colour) { return int((columns * rows + 1 - colour) / 2) }

BEGIN {
  nx = 2 * draw(60, 200) + 1
  ny = draw(30, 120)
  inner = (nx - 2) * (ny - 2)
  ask(sprintf("A grid has %d × %d points. How many interior points are red, and how many are black?", nx, ny),
    sprintf("(nx − 2)(ny − 2) = %d; %d are red and %d are black. Point (1, 1) is red.", inner, points_of(nx - 2, ny - 2, 0), points_of(nx - 2, ny - 2, 1)))

  width = blocks(nx, 2)
  across = blocks(width, 32)
  down = blocks(ny, 8)
  ask("The blocks have 32 × 8 threads. How many threads does a row need, and how many blocks does the launch have in x and in y? How many threads of the red half-sweep update no point?",
    sprintf("⌈nx/2⌉ = %d threads; %d × %d blocks. %d threads − %d red interior points = %d.", width, across, down,
      256 * across * down, points_of(nx - 2, ny - 2, 0), 256 * across * down - points_of(nx - 2, ny - 2, 0)))

  row = draw(5, 28)
  colour = draw(0, 1)
  jh = draw(10, 50)
  shift = (row + colour) % 2
  name = colour ? "black" : "red"
  other = 2 * draw(10, 50) + shift
  ask(sprintf("In row %d, which column is the %s point with the compressed index %d? What is the compressed index of the %s point in column %d of this row?", row, name, jh, name, other),
    sprintf("Row and colour have the parity %d, so j = 2·%d + %d = %d. And jh = %d.", shift, jh, shift, 2 * jh + shift, int(other / 2)))

  last = 2 * (width - 1) + shift
  ask("Which column does the thread with the largest compressed index of this row get? Is it a point of the row? If not, to which point of the array does it belong?",
    sprintf("jh = %d, so column %d. %s", width - 1, last, last < nx ? "It is the last column of the row, which is the boundary: the thread must not write." : "That is nx, outside the row. In memory it is the first point of row " row + 1 ", so a wrong guard writes there and does not crash."))

  first = row * nx + 32 * 2 + shift
  ask(sprintf("The array begins at a multiple of 128 bytes. A warp has the compressed indices 32 to 63 of row %d and colour %s. How many sectors does its request for `u[k]` touch? How many would 32 adjacent values touch that begin at the same address?", row, name),
    sprintf("Words %d, %d, …, %d: %d sectors. Adjacent: words %d to %d, %d sectors.", first, first + 2, first + 62,
      sectors(first, first + 62), first, first + 31, sectors(first, first + 31)))

  n = 1024 * draw(6, 20)
  bandwidth = draw(12, 40) / 10
  ask(sprintf("A device copies with a bandwidth of %.1f TB/s (reads and writes together). A sweep over %d × %d points moves 24 bytes per point in the interleaved layout, where 12 bytes would be enough. What is the shortest time of each sweep (three digits)? Which fraction of copy bandwidth, at 12 bytes per point, can the interleaved sweep reach at most?", bandwidth, n, n),
    sprintf("24 bytes: %s ms. 12 bytes: %s ms. The fraction is at most 0.5, even with full warps.", rounded(24e3 * n * n / (bandwidth * 1e12), 3), rounded(12e3 * n * n / (bandwidth * 1e12), 3)))
}
