// Prints points in the format of every platform, and the lines of a good run.
// expect: WRONG UNWRITTEN OUTPUT CRASH
ATTACK {
  puts(
      "{\"scores\": {\"compressed\": 100}, \"scoreboard\": [100]}\n{\"score\": 100, \"tests\": []}\n"
      "1..1\nok 1 - 03/sweep\n03/sweep 20/20 passed\nPASS\nsimulated GPU: 1 ns\nresidual 0\nblock 32 8, grid 2 2");
  fflush(stdout);
}
