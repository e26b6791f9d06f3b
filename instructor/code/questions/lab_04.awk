# Warps of a multiprocessor with compute capability 9.0 (CUDA C++ Programming Guide, table of technical specifications).
function resident_blocks(registers, threads, shared, warps, by_registers, by_shared, by_warps, n) {
  warps = threads / 32
  registers = 256 * ceiling(registers * 32 / 256) # per warp
  by_registers = int(4 * int(65536 / 4 / registers) / warps)
  by_shared = int(233472 / (shared + 1024))
  by_warps = int(64 / warps)
  n = by_registers < by_shared ? by_registers : by_shared
  n = n < by_warps ? n : by_warps
  limit = n == by_registers ? "registers" : ""
  if (n == by_shared)
    limit = limit (limit == "" ? "" : " and ") "shared memory"
  if (n == by_warps)
    limit = limit (limit == "" ? "" : " and ") "warps"
  return n
}

BEGIN {
  nx = draw(70, 400)
  pitch = 32 * ceiling(blocks(nx, 2) / 32)
  ask(sprintf("A grid has nx = %d columns. What is the smallest pitch of the split layout, and how many places of a row are padding for red in row 0?", nx),
    sprintf("⌈nx/2⌉ = %d, rounded up to a multiple of 32: %d. Padding: %d places.", blocks(nx, 2), pitch, pitch - blocks(nx, 2)))

  i = draw(3, 20)
  j = draw(11, 50)
  colour = (i + j) % 2
  jh = int(j / 2)
  left = i * pitch + jh - 1 + (i + colour) % 2
  ask(sprintf("At which place of its array is the point in row %d and column %d, and of which colour is it? At which places of the other array are its west, east, north and south neighbours?", i, j),
    sprintf("%s, place %d. West %d, east %d, north %d, south %d.", colour ? "Black" : "Red", i * pitch + jh, left, left + 1, (i - 1) * pitch + jh, (i + 1) * pitch + jh))

  k = 4 * draw(3, 12)
  odd = (i + colour) % 2
  ask(sprintf("A lane of the `float4` kernel has the places jh = %d to %d of this row and colour. Which five places of the row in the other array does it need? Which of them is not in the aligned `float4` with the same jh, and which lane holds it?", k, k + 3),
    odd ? sprintf("jh = %d to %d. The fifth is %d, to the east: the next lane loads it, and the last lane of a warp loads it itself.", k, k + 4, k + 4) : sprintf("jh = %d to %d. The fifth is %d, to the west: the previous lane loads it, and lane 0 of a warp loads it itself.", k - 1, k + 3, k - 1))

  t = draw(2, 8)
  ask(sprintf("A fused pass performs %d sweeps and moves 10 bytes per point (black read, h²f of both colours read, both colours written). How many bytes is that per sweep (three digits)? Which fraction of copy bandwidth, at 12 bytes per point and sweep, is the upper limit (three digits)? Does this kernel exceed the roofline?", t),
    sprintf("%s bytes per sweep; 12·%d/10 = %s. It does not: fusion raises the arithmetic intensity, and with it the roofline's limit in sweeps per second.", rounded(10 / t, 3), t, rounded(1.2 * t, 3)))

  bm = pick("32 64 96 128 192")
  bn = pick("32 64 128 256")
  ask(sprintf("A block of an SGEMM kernel computes a tile of %d × %d entries of C. How many floating-point operations does it perform per byte that it loads from global memory (three digits)? How many does a kernel perform that loads both factors of each product?", bm, bn),
    sprintf("For one k: 2·%d·%d operations and 4(%d + %d) bytes: %s per byte. Without reuse: 2 operations per 8 bytes, 0.25 per byte.", bm, bn, bm, bn, rounded(bm * bn / (2 * (bm + bn)), 3)))

  m = draw(700, 2000)
  n = draw(700, 2000)
  grid = blocks(n, bn) * blocks(m, bm)
  ask(sprintf("C has %d rows and %d columns. How many blocks does that take, and which fraction of the entries that they compute is part of C (three decimals)?", m, n),
    sprintf("⌈%d/%d⌉·⌈%d/%d⌉ = %d blocks; %d of %d entries: %.3f.", m, bm, n, bn, grid, m * n, grid * bm * bn, m * n / (grid * bm * bn)))

  registers = 8 * draw(5, 15)
  threads = pick("128 256 512")
  shared = 1024 * draw(2, 40)
  resident = resident_blocks(registers, threads, shared)
  ask(sprintf("A kernel uses %d registers per thread, %d threads and %d bytes of shared memory per block. A multiprocessor of compute capability 9.0 holds 64 warps, 32 blocks, 65,536 registers and 233,472 bytes of shared memory. Each block takes 1,024 bytes more than it asks for. Registers are given to a warp in units of 256, and warps are counted in multiples of four. How many blocks fit, what limits them, and what is the occupancy?", registers, threads, shared),
    sprintf("%d block%s, by %s. Occupancy: %d of 64 warps, %.3g.", resident, resident == 1 ? "" : "s", limit, resident * threads / 32, resident * threads / 32 / 64))
}
