// Nothing is written. The program ends well where only its end is judged.
// lab: 08
// expect: WRONG UNWRITTEN OUTPUT
ATTACK { _exit(0); }
