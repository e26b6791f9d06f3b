# Completes ./kit's commands, labs, parts and measurements in bash. Use: source commands/setup/completion.bash
# In zsh, first: autoload -U compinit bashcompinit && compinit && bashcompinit
# shellcheck shell=bash

# zsh has no readarray.
_checkerboard_offer() { # _checkerboard_offer <LINES
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("$line")
  done
}

_checkerboard_kit() {
  local kit=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} before=${COMP_WORDS[COMP_CWORD - 1]} root labs offered=''
  root=$(dirname "$(realpath "$kit")")
  if ((COMP_CWORD == 1)); then
    offered="$("$kit" help | sed -n 's/^  \([a-z]*\) .*/\1/p') --offline --version"
  elif [[ $before == --device ]]; then
    offered='sim gpu'
  else
    labs=$(cd "$root/labs" && printf '%s\n' [0-9]*_* | cut -c 1-2)
    case $command in
      check | watch | hint | reset | trace)
        offered=$labs
        [[ $word != */* ]] || offered=$(awk -f "$root/grading/rubric/items.awk" "$root"/grading/rubric/*.cfg | cut -f 1)
        ((COMP_CWORD == 2)) || offered=''
        [[ $command != check && $command != watch || $COMP_CWORD -eq 2 ]] || offered='--report --device'
        ;;
      next | progress | lab) ((COMP_CWORD > 2)) || offered=$labs ;;
      measure)
        offered=$labs
        ((COMP_CWORD == 2)) || offered="$(sed -n "s/^${COMP_WORDS[2]} \([a-z-]*\) .*/\1/p" "$root/commands/course/measurements") --device"
        ;;
      grade)
        offered=$(sed -n 's/^grade \([a-z]*\) .*/\1/p; s/^  \(--[a-z-]*\).*/\1/p' "$root/grading/usage.txt")
        _checkerboard_offer < <(compgen -W "$offered" -- "$word" || true; compgen -f -- "$word")
        return
        ;;
      run) offered='--device --tree' ;;
      release | site)
        offered='--from --no-prebuilt'
        [[ $command == release ]] || offered=--no-samples
        _checkerboard_offer < <(compgen -W "$offered" -- "$word" || true; compgen -f -- "$word")
        return
        ;;
      test) ((COMP_CWORD > 2)) || offered="$labs common simgpu grading commands --changed --all --list --minutes" ;;
      plot)
        if ((COMP_CWORD == 2)); then
          offered=$("$kit" plot | sed -n 's/^  \([a-z]*\) .*/\1/p')
        else
          _checkerboard_offer < <(compgen -f -- "$word")
          return
        fi
        ;;
      *)
        _checkerboard_offer < <(compgen -f -- "$word")
        return
        ;;
    esac
  fi
  _checkerboard_offer < <(compgen -W "$offered" -- "$word")
}
complete -o filenames -F _checkerboard_kit ./kit kit
