# Completes ./kit's commands, labs, parts and measurements in bash. Use: source commands/setup/completion.bash
# In zsh, first: autoload -U +X bashcompinit && bashcompinit
# shellcheck shell=bash

_checkerboard_kit() {
  local kit=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} before=${COMP_WORDS[COMP_CWORD - 1]} root labs words=''
  root=$(dirname "$(realpath "$kit")")
  if ((COMP_CWORD == 1)); then
    words="$("$kit" help | sed -n 's/^  \([a-z]*\) .*/\1/p') --offline --version"
  elif [[ $before == --device ]]; then
    words='sim gpu'
  else
    labs=$(cd "$root/labs" && printf '%s\n' [0-9]*_* | cut -c 1-2)
    case $command in
      check | watch | hint | reset | trace)
        words=$labs
        [[ $word != */* ]] || words=$(sed -n 's/.*id = "\([0-9]*\/[a-z0-9_]*\)".*/\1/p' "$root"/grading/rubric/*.cfg)
        ((COMP_CWORD == 2)) || words=''
        [[ $command != check && $command != watch || $COMP_CWORD -eq 2 ]] || words='--report --device'
        ;;
      next | progress | lab) ((COMP_CWORD > 2)) || words=$labs ;;
      measure)
        words=$labs
        ((COMP_CWORD == 2)) || words="$(sed -n "s/^${COMP_WORDS[2]} \([a-z-]*\) .*/\1/p" "$root/commands/course/measurements") --device"
        ;;
      grade)
        words=$(sed -n 's/^grade \([a-z]*\) .*/\1/p; s/^  \(--[a-z-]*\).*/\1/p' "$root/grading/usage.txt")
        readarray -t COMPREPLY < <(compgen -W "$words" -- "$word" || true; compgen -f -- "$word")
        return
        ;;
      run) words='--device --tree' ;;
      *)
        readarray -t COMPREPLY < <(compgen -f -- "$word")
        return
        ;;
    esac
  fi
  readarray -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o filenames -F _checkerboard_kit ./kit kit
