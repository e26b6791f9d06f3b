# Completes ./kit's commands, labs and parts in bash. Use: source commands/setup/completion.bash
# shellcheck shell=bash

_checkerboard_kit() {
  local kit=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} root words=''
  root=$(dirname "$(realpath "$kit")")
  if ((COMP_CWORD == 1)); then
    words="$("$kit" help | sed -n 's/^  \([a-z]*\) .*/\1/p') --offline --version"
  else
    case $command in
      check | watch | hint | lab)
        words=$(cd "$root/labs" && printf '%s\n' [0-9]*_* | cut -c 1-2)
        [[ $word != */* ]] || words=$(sed -n 's/.*id = "\([0-9]*\/[a-z0-9_]*\)".*/\1/p' "$root"/grading/rubric/*.cfg)
        ;;
      grade)
        words=$(sed -n 's/^grade \([a-z]*\) .*/\1/p; s/^  \(--[a-z-]*\).*/\1/p' "$root/grading/usage.txt")
        readarray -t COMPREPLY < <(compgen -W "$words" -- "$word" || true; compgen -f -- "$word")
        return
        ;;
      run) words='--device --tree' ;;
      book) words='--pdf' ;;
      *)
        readarray -t COMPREPLY < <(compgen -f -- "$word")
        return
        ;;
    esac
  fi
  readarray -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o filenames -F _checkerboard_kit ./kit kit
