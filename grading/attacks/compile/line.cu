// Row 21: names a source "::error …", or puts terminal sequences and bidirectional characters into messages.
// with: COMMAND AZURE C1 BIDI ESCAPE PRINTED
#define COMMAND 1
#define AZURE 2
#define C1 3
#define BIDI 4
#define ESCAPE 5
#define PRINTED 6
#if WITH == COMMAND
#line 1 "::error file=README.md,line=1::full marks for everyone"
wrong;
#elif WITH == AZURE
#line 1 "##vso[task.complete result=Succeeded;]"
wrong;
#elif WITH == C1
#error "2J"
#elif WITH == BIDI
#error "‮level‬ ⁦x⁩"
#elif WITH == ESCAPE
#line 1 "[2J]0;title"
wrong;
#else
ATTACK {
  fprintf(stderr, "::error::x\n\x1b[2J\xc2\x9b"
                  "2J\xe2\x80\xae\n");
  printf("\n::error::full marks\n##[error]x\n\x1b[2J\x1b]0;title\x07\xc2\x9b"
         "2J \xe2\x80\xae"
         "evil\n");
  fflush(stdout);
  _exit(1);
}
#endif
