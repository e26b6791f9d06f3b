#!/usr/bin/env python3
"""Prints random kernels as tests for kernels/harness.h. They must store the same on the simulated and on a real GPU.

Each statement and expression has a type, so that every kernel compiles. Nothing depends on the order of threads: lanes
exchange values only where the whole warp or block is together, and atomic operations are those of integers that
commute. Loops end. What a GPU leaves open does not occur: shifts and indices are bounded, no divisor is 0, the bits
of a NaN of double precision do not matter, and no approximate function has a constant argument.
"""

import argparse
import random
import re

# Types, with the letter of their variables and their name in CUDA's conversions.
TYPES = {"int": "i", "unsigned": "u", "long long": "l", "unsigned long long": "w", "float": "f", "double": "d"}
SHORT = {**{kind: kind for kind in TYPES}, "unsigned": "uint", "long long": "ll", "unsigned long long": "ull"}
REAL = ("float", "double")
VARIABLES = 4  # of each type
THREADS, BLOCKS, SHARED = 96, 3, 128

# Initial values, and bits, of a variable.
START = {
    "int": "edge_int(%(seed)s)",
    "unsigned": "%(seed)s",
    "float": "edge_float(%(seed)s)",
    "double": "edge_double(%(seed)s)",
}
WIDE = "(%(kind)s)((word)%(seed)s << 32 | mixed(%(seed)s))"
BITS = {"float": "__float_as_uint(%s)", "double": "bits_of(%s)"}

# Expressions: A, B and C are of the type itself, U of unsigned, F of float and D of double; R is a rounding mode.
INTEGER = [*["(A + B)", "(A - B)", "(A * B)", "(A & B)", "(A | B)", "(A ^ B)"] * 2, "(~A)", "min(A, B)", "max(A, B)"]
NARROW, BROAD = ["(A << (U & 31))", "(A >> (U & 31))"], ["(A << (U & 63))", "(A >> (U & 63))"]
SIGNED = ["(A / ((B & 0xffff) | 1))", "(A % ((B & 0xffff) | 1))"]
UNSIGNED = ["(A / (B | 1))", "(A % (B | 1))"]
EXPRESSIONS = {
    "int": INTEGER + NARROW + SIGNED
    + ["__mulhi(A, B)", "__mul24(A, B)", "(int)__sad(A, B, 5u)", "__rhadd(A, B)", "abs(A | 1)"],
    "unsigned": INTEGER + NARROW + UNSIGNED
    + ["__popc(A)", "__clz(A)", "__ffs(A)", "__brev(A)", "__byte_perm(A, B, C)", "__funnelshift_l(A, B, C)"]
    + ["__funnelshift_rc(A, B, C)", "__umulhi(A, B)", "__usad(A, B, C)", "__umul24(A, B)", "__vadd2(A, B)"]
    + ["__dp4a((unsigned)A, (unsigned)B, (unsigned)C)", "__vabsdiffu4(A, B)", "__vmaxs2(A, B)"]
    + ["__float_as_uint(F)", "(unsigned)(bits_of(D) >> 32)"],
    "long long": INTEGER + BROAD + SIGNED + ["__mul64hi(A, B)", "(long long)bits_of(D)"],
    "unsigned long long": INTEGER + BROAD + UNSIGNED
    + ["__umul64hi(A, B)", "(word)__popcll(A)", "__brevll(A)", "(word)__clzll(A)"],
    "float": ["(A + B)", "(A - B)", "(A * B)"] * 3
    + ["(A / B)", "fmaf(A, B, C)", "fminf(A, B)", "fmaxf(A, B)", "fabsf(A)", "(-(A))", "copysignf(A, B)", "floorf(A)"]
    + ["ceilf(A)", "truncf(A)", "rintf(A)", "roundf(A)", "__fadd_R(A, B)", "__fmul_R(A, B)", "__fmaf_R(A, B, C)"]
    + ["__fdiv_R(A, B)", "__frcp_R(A)", "__fsqrt_R(A)", "__expf(hidden(A, zero))", "__logf(hidden(A, zero))", "__sinf(hidden(A, zero))", "__cosf(hidden(A, zero))"]
    + ["__frsqrt_rn(A)", "exp2f(hidden(A, zero))", "__saturatef(A)", "__uint_as_float(U & 0xff7fffffu)"],
    "double": ["(A + B)", "(A - B)", "(A * B)"] * 3
    + ["(A / B)", "fma(A, B, C)", "fmin(A, B)", "fmax(A, B)", "fabs(A)", "(-(A))", "floor(A)", "ceil(A)", "trunc(A)"]
    + ["copysign(A, canonical(B))", "rint(A)", "round(A)", "__dadd_R(A, B)", "__dmul_R(A, B)"]
    + ["__fma_R(A, B, C)", "__ddiv_R(A, B)", "__drcp_R(A)", "__dsqrt_R(A)", "rsqrt(hidden(A, zero))", "fdim(A, B)"],
}
COMPARISONS = ["A < B", "A <= B", "A > B", "A >= B", "A == B", "A != B"]
CONDITIONS = {
    **{kind: COMPARISONS + ["(A & B) != 0"] * 3 + ["A % 3 == 0"] * 3 for kind in TYPES},
    "float": COMPARISONS + ["isnan(A)", "!(A < B)", "signbit(A)"] * 2,
    "double": COMPARISONS + ["isnan(A)", "!(A < B)", "(long long)bits_of(A) < 0"] * 2,
}
ATOMICS = ["Add", "Xor", "Max", "Min", "Or", "And", "Sub"]

HEAD = """// Made by random_kernels.py --seed %d --kernels %d.
enum { THREADS = %d, BLOCKS = %d, SHARED = %d, STORED = 2 * %d, BINS = 128 };
typedef unsigned long long word;
typedef void kernel(word *, unsigned *, int);

static __device__ unsigned mixed(unsigned v) {
  v = (v ^ (v >> 16)) * 0x7feb352du;
  v = (v ^ (v >> 15)) * 0x846ca68bu;
  return v ^ (v >> 16);
}

// Ordinary numbers, and now and then one at the edge.
static __device__ float edge_float(unsigned v) {
  const float edges[] = {0, -0.0f, INFINITY, 1e-40f, 3e38f, -1};
  return v %% 64 < 6 ? edges[v %% 64] : ((int)(v / 64) - (1 << 25)) * (1.0f / (1 << 22));
}
static __device__ double edge_double(unsigned v) {
  const double edges[] = {0, -0.0, -INFINITY, 1e-310, 1e308, 1};
  return v %% 64 < 6 ? edges[v %% 64] : ((int)(v / 64) - (1 << 25)) * (1.0 / (1 << 21));
}
static __device__ int edge_int(unsigned v) { return v & 7 ? (int)(v >> 4) : v & 8 ? -1 : (int)0x80000000; }

// Which NaN an operation on two of them gives is left to the machine code.
static __device__ double canonical(double v) { return isnan(v) ? NAN : v; }
static __device__ word bits_of(double v) { return __double_as_longlong(canonical(v)); }

// The compiler of machine code evaluates approximate functions of constants exactly, which the instructions do not.
static __device__ float hidden(float v, int zero) { return __int_as_float(__float_as_int(v) ^ zero); }
static __device__ double hidden(double v, int zero) { return __longlong_as_double(__double_as_longlong(v) ^ zero); }

static void compare(kernel *kernel, word digest = 0, word of_newer = 0) {
  const Array<word> out(BLOCKS * THREADS * STORED);
  const Array<unsigned> bins(BINS);
  kernel<<<BLOCKS, THREADS>>>(out, bins, 0);
  delete[] record(out);
  delete[] record(bins);
  if (digest)
    expect_digest(digest, of_newer);
}
"""


class Kernel:
    def __init__(self, rng, number):
        self.rng, self.number, self.lines, self.indent, self.loops = rng, number, [], 1, 0

    def pick(self, *choices):
        return self.rng.choice(choices)

    def put(self, text):
        self.lines.append("  " * self.indent + text)

    def variable(self, kind):
        return f"{TYPES[kind]}{self.rng.randrange(VARIABLES)}"

    def constant(self, kind):
        rng = self.rng
        if kind in REAL:
            return f"({kind}){rng.choice([0.5, -1.5, 3.0, 1 / 3, 1e-3, -7e4, 2.5e10, 1e-30])!r}"
        value = rng.choice([0, 1, 2, 3, 7, 31, 32, 255, 0x7FFFFFFF, 0x80000000, 0xDEADBEEF, rng.getrandbits(32)])
        if "long" in kind:
            value = rng.choice([value, rng.getrandbits(64), 1 << 63])
        return f"({kind}){value}u"

    def filled(self, template, kind, depth):
        """The template with values, whose own depth is one less."""
        kinds = {"A": kind, "B": kind, "C": kind, "U": "unsigned", "F": "float", "D": "double"}
        template = template.replace("_R(", self.pick("_rn(", "_rz(", "_ru(", "_rd("))
        return re.sub(r"\b[ABCUFD]\b", lambda letter: self.value(kinds[letter[0]], depth - 1), template)

    def condition(self, depth):
        if depth > 1 and self.rng.random() < 0.15:
            return f"({self.condition(depth - 1)}) {self.pick('&&', '||')} ({self.condition(depth - 1)})"
        kind = self.pick(*TYPES)
        return self.filled(self.rng.choice(CONDITIONS[kind]), kind, depth)

    def value(self, kind, depth):
        roll = self.rng.random()
        if depth <= 0 or roll < 0.15:
            return self.constant(kind) if self.rng.random() < 0.25 else self.variable(kind)
        if roll < 0.22:
            return f"(({self.condition(depth - 1)}) ? {self.value(kind, depth - 1)} : {self.value(kind, depth - 1)})"
        if roll < 0.35:
            return self.converted(kind, depth)
        return self.filled(self.rng.choice(EXPRESSIONS[kind]), kind, depth)

    def converted(self, kind, depth):
        source = self.rng.choice([other for other in TYPES if other != kind])
        v = self.value(source, depth - 1)
        if kind == "float" and source == "double":
            v = f"canonical({v})"
        if kind == "float" or source in REAL and kind not in REAL:
            return f"__{SHORT[source]}2{SHORT[kind]}_{self.pick('rn', 'rz', 'ru', 'rd')}({v})"
        if kind not in REAL and self.rng.random() < 0.3:
            return f"({kind})({self.pick('signed char', 'short', 'unsigned char', 'unsigned short')}){v}"
        return f"({kind}){v}"

    def assign(self):
        kind = self.pick(*TYPES)
        v = self.variable(kind)
        if kind not in REAL and self.rng.random() < 0.2:
            self.put(f"{v} {self.pick('+', '^', '-', '*')}= {self.value(kind, 2)};")
        else:
            self.put(f"{v} = {self.value(kind, 3)};")

    def body(self, count, depth, uniform):
        self.indent += 1
        for _ in range(count):
            self.statement(depth, uniform)
        self.indent -= 1

    def statement(self, depth, uniform):
        roll = self.rng.random()
        if uniform and roll < 0.25:
            return self.exchange()
        if depth <= 0 or roll < 0.55:
            return self.assign()
        if roll < 0.72:
            self.put(f"if ({self.condition(2)}) {{")
            self.body(self.rng.randint(1, 4), depth - 1, False)
            if self.rng.random() < 0.5:
                self.put("} else {")
                self.body(self.rng.randint(1, 3), depth - 1, False)
            self.put("}")
        elif roll < 0.84:
            n = f"n{self.loops}"
            self.loops += 1
            even = self.rng.random() < 0.4  # all threads do as many turns
            turns = str(self.rng.randint(1, 6)) if even else f"(int)({self.variable('unsigned')} & 7)"
            self.put(f"for (int {n} = 0; {n} < {turns}; {n}++) {{")
            self.put(f"  u{self.rng.randrange(VARIABLES)} += {n};")
            self.body(self.rng.randint(1, 3), depth - 1, uniform and even)
            if not even and self.rng.random() < 0.4:
                self.put(f"  if ({self.condition(1)}) {self.pick('break', 'continue')};")
            self.put("}")
        elif roll < 0.9:
            self.put(f"switch ({self.variable('unsigned')} & 3) {{")
            for case in range(self.rng.randint(2, 4)):
                self.put(f"case {case}:")
                self.body(self.rng.randint(1, 2), depth - 1, False)
                if self.rng.random() < 0.7:
                    self.put("  break;")
            self.put("}")
        elif roll < 0.96:
            kind = self.pick(*TYPES)
            self.put(f"{self.variable(kind)} = local_{TYPES[kind]}[{self.variable('unsigned')} & 7];")
            self.put(f"local_{TYPES[kind]}[{self.variable('unsigned')} & 7] = {self.value(kind, 2)};")
        else:
            number = self.rng.randrange(len(ATOMICS))  # each bin has one operation, so their order does not matter
            to = f"{self.pick('bins', 'bins', 'sums')}[{number * 8} + ({self.variable('unsigned')} & 7)]"
            self.put(f"atomic{ATOMICS[number]}(&{to}, {self.value('unsigned', 2)});")

    def exchange(self):
        roll = self.rng.random()
        kind = self.pick(*TYPES)
        v, to = self.variable(kind), self.variable(kind)
        if roll < 0.4:
            how = self.pick("xor", "up", "down", "")
            lane = str(self.rng.randint(0, 31)) if self.rng.random() < 0.6 else f"({self.variable('unsigned')} & 31)"
            width = self.pick("", ", 16", ", 8", ", 4")
            self.put(f"{to} = __shfl{'_' + how if how else ''}_sync(~0u, {v}, {lane}{width});")
        elif roll < 0.6:
            test = self.condition(2)
            self.put(f"{self.variable('unsigned')} {self.pick('^', '+')}= " + self.pick(
                f"__ballot_sync(~0u, {test});", f"__any_sync(~0u, {test});", f"__all_sync(~0u, {test});",
                f"__match_any_sync(~0u, {self.variable('unsigned')} & 3);"))
        elif roll < 0.7:
            operation = self.pick("add", "min", "max", "and", "or", "xor")
            self.put(f"{self.variable('unsigned')} ^= __reduce_{operation}_sync(~0u, {self.variable('unsigned')});")
        else:
            array = f"shared_{TYPES[kind]}"
            self.put(f"{array}[threadIdx.x] = {v};")
            self.put("__syncthreads();")
            other = self.pick(
                f"(threadIdx.x + {self.rng.randint(1, 95)}) % THREADS",
                "THREADS - 1 - threadIdx.x",
                f"{self.variable('unsigned')} % THREADS",
            )
            self.put(f"{to} = {array}[{other}];")
            self.put("__syncthreads();")

    def text(self):
        self.put("const unsigned id = blockIdx.x * THREADS + threadIdx.x;")
        self.put("__shared__ unsigned sums[64];")
        salt = self.rng.getrandbits(30)
        for number, (kind, letter) in enumerate(TYPES.items()):
            self.put(f"__shared__ {kind} shared_{letter}[SHARED];")
            for n in range(VARIABLES):
                seed = f"mixed(id * 37 + {salt + number * VARIABLES + n}u)"
                self.put(f"{kind} {letter}{n} = {START.get(kind, WIDE) % {'kind': kind, 'seed': seed}};")
            first = f"{letter}{self.rng.randrange(VARIABLES)}"
            self.put(f"{kind} local_{letter}[8];")
            self.put(f"for (int n = 0; n < 8; n++) local_{letter}[n] = ({kind})(n * 3 + 1) + {first};")
        self.put("if (threadIdx.x < 64) sums[threadIdx.x] = threadIdx.x;")
        self.put("__syncthreads();")
        for _ in range(self.rng.randint(8, 30)):
            self.statement(3, True)
        self.put("__syncthreads();")
        self.put("if (threadIdx.x < 64) atomicAdd(&bins[64 + threadIdx.x], sums[threadIdx.x] * (blockIdx.x * 2 + 1));")
        for number, (kind, letter) in enumerate(TYPES.items()):
            for half in range(2):
                names = f"{letter}{2 * half}", f"{letter}{2 * half + 1}", f"local_{letter}[{half}]"
                a, b, c = (BITS.get(kind, "(word)%s") % name for name in names)
                self.put(f"out[id * STORED + {2 * number + half}] = {a} * 3 + {b} + {c};")
        body = "\n".join(self.lines)
        return f"static __global__ void kernel{self.number}(word *out, unsigned *bins, int zero) {{\n{body}\n}}\n"


def recorded(path, seed):
    """Digests of a GPU's results by kernel: lines `seed,kernel,digest`, a second one for code of nvcc 13.5."""
    with open(path, encoding="ascii") as file:
        rows = [line.strip().split(",") for line in file if line[0].isdigit()]
    digests = {}
    for of, kernel, digest in rows:
        if int(of) == seed:
            digests.setdefault(int(kernel), []).append(f"{digest}u")
    return digests


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kernels", type=int, default=40)
    parser.add_argument("--recorded", metavar="FILE", help="digests that the kernels must have")
    parser.add_argument("--out", type=argparse.FileType("w"), default="-", metavar="FILE")
    options = parser.parse_args()
    digests = recorded(options.recorded, options.seed) if options.recorded else {}
    options.out.write(HEAD % (options.seed, options.kernels, THREADS, BLOCKS, SHARED, len(TYPES)))
    for number in range(options.kernels):
        options.out.write(Kernel(random.Random(f"{options.seed} {number}"), number).text())
        options.out.write(f"TEST(random{number}) {{ compare({', '.join([f'kernel{number}', *digests.get(number, [])])}); }}\n\n")


main()
