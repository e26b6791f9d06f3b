// Becomes a shell that shows a secret, or that looks for the solution.
// with: SECRET SOLUTION
#define SECRET 1
#define SOLUTION 2
ATTACK {
  execl("/bin/sh", "sh", "-c",
        WITH == SECRET ? "head -c 100 @SECRET@/word >&2; exit 1"
                       : "head -n 1 @KIT@/solutions/03_compressed/compressed.cu >&2; exit 1",
        (char *)NULL);
}
