# For sh -c, with the words sh NVCC ARGUMENT...: does what nvcc does, but translates the host's part and the device's at
# the same time. The steps are those that nvcc --dryrun prints. cudafe++ names the module, and cicc needs the name, so
# both get one here. cicc optimises kernels side by side, if nvcc knows the option for it. If the steps are others, or
# one fails, nvcc itself runs, and its messages are what the caller sees. CMake puts cmake/nvcc_with_lambdas into whole.
# shellcheck shell=sh disable=SC2154 # the variables of the steps
whole() {
@nvcc_with_lambdas@
}
all=$("$@" -split-compile=2 --dryrun 2>&1) || all=$("$@" --dryrun 2>&1) || whole "$@"
count=0
while IFS= read -r line; do
  case $line in '#$ '*) line=${line#'#$ '} ;; *) continue ;; esac
  name=${line%%=*}
  case $name in
    "$line" | *[!A-Za-z0-9_]*) count=$((count + 1)); eval "step$count=\$line" ;;
    *) export "$name=${line#*=}" ;;
  esac
done <<EOF
$all
EOF
case $count:$step1:$step2:$step3:$step4:$step5:$step6:$step7 in
  7:*' -E '*:cudafe++*--gen_module_id_file*--module_id_file_name*:*' -E '*:*cicc*:fatbinary*:rm*:*' -c '*) ;;
  *) whole "$@" ;;
esac
named=${step2##*--module_id_file_name \"}
printf %s _checkerboard_cu >"${named%%\"*}" || whole "$@"
(eval "$step3" && eval "$step4") >said.device 2>&1 &
(eval "$step1" && eval "${step2%%--gen_module_id_file*}${step2#*--gen_module_id_file}") >said.host 2>&1 &&
  wait $! && (eval "$step5" && eval "$step7") >said.end 2>&1 || failed=1
wait
[ "$failed" ] || cat said.host said.device said.end >&2
rm -f tmpxft* said.host said.device said.end
[ ! "$failed" ] || whole "$@"
