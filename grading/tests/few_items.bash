# shellcheck shell=bash
# few_items KIT: prints the installation KIT with a rubric of two items of lab 03, few.cfg in this folder. For tests
# that ask who is graded how often and whether a grade is complete, not for which points.
few_items() {
  cat >few.cfg <<'EOC'
lab = "03_compressed";
program = "compressed";
items = (
  { id = "03/index"; kind = "correctness"; part = 1; points = 10.0; title = "columns of both colours"; },
  { id = "03/lanes"; kind = "counter"; part = 3; points = 10.0; title = "active lanes"; needs = [ "03/index" ];
    metric = "lanes_of_steps"; none_at = 0.55; full_at = 0.93; }
);
EOC
  sed "s#\"[^\"]*/rubric/03.cfg\"#\"$PWD/few.cfg\"#" "$1"
}
