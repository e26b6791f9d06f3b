#include "usage.h"

#include <string.h>

const char usage_text[] =
    "usage: grade [OPTIONS] SUBMISSION        points and feedback for one submission\n"
    "       grade check [OPTIONS] SUBMISSION  the same; exit status 1 below full marks\n"
    "       grade --class DIR --out DIR [--lab NN] [--format LIST] [--jobs N] [--again]\n"
    "                                         each entry of a folder, and summary.csv\n"
    "       grade --mode time [OPTIONS] SUBMISSION | --class DIR --out DIR\n"
    "                                         time lines, on this machine's GPU\n"
    "       grade merge COUNTERS.json TIME.json --json FILE\n"
    "                                         both results of one submission as one\n"
    "       grade calibrate [--lab NN] [--gradings N] [--limits FILE]\n"
    "                                         limits of times for this machine's GPU\n"
    "       grade export --moodle SHEET.csv --summary FILE --out FILE\n"
    "       grade export --canvas SHEET.csv [--assignment NAME] --summary FILE --out FILE\n"
    "                                         a class's points in the sheet of a learning platform\n"
    "       grade gradebook [OPTIONS] --out FILE SUMMARY.csv ...\n"
    "                                         a row for each student, from several summaries\n"
    "\n"
    "SUBMISSION is a lab's .cu file, a folder or an archive of such files, or a tree like labs. One without\n"
    "a lab's file is MISSING and gets no points. Programs are compiled and run in a folder in $TMPDIR, or\n"
    "in /tmp.\n"
    "\n"
    "  --lab NN[/NAME]   this lab, or one of its tests, alone; SUBMISSION may be a file of any name then\n"
    "  --json FILE       the result, schema checkerboard/result/v1\n"
    "  --format LIST     reports, with commas between: html, gradescope, autolab, classroom50,\n"
    "                    prairielearn, junit, tap\n"
    "  --out DIR         the folder for reports, made if it is not there; without --format: html\n"
    "  --limit-seconds N wall time for one submission; what is left then is TIMEOUT; default: 480\n"
    "  --limits FILE     limits of times, as calibrate wrote them; default: those of this build, if any\n"
    "  --jobs N          so many processes at once; default: one for each core\n"
    "  --again           grade those, too, that were graded before by this kit\n"
    "  --installation F  first of all options: another kit.cfg than this build's\n"
    "  --version         the kit's version\n"
    "  --help            this text\n"
    "\n"
    "Options of gradebook; each holds for the summaries after it:\n"
    "\n"
    "  --deadline TIME   as 2026-11-20 23:59, with or without a time zone\n"
    "  --no-deadline     ends the last deadline\n"
    "  --times FILE      CSV with the columns submission and submitted\n"
    "  --per-day PERCENT that a submission loses for each day after deadline and grace, linear in time\n"
    "  --grace MINUTES   after the deadline, without a penalty; default: 0\n"
    "  --most PERCENT    that a submission can lose; default: 100\n"
    "\n"
    "Exit status: 0 graded, 1 below full marks (check), 2 not graded: a fault of the grader, of its\n"
    "machine or of the command line. grading/README.md says more.\n";

bool usage_is_wanted(int argc, char **argv) {
  for (int n = 1; n < argc; n++)
    if (strcmp(argv[n], "--help") == 0 || strcmp(argv[n], "-h") == 0)
      return true;
  return false;
}
