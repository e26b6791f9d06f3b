/* nvcc translates the host's part of a source, and then the device's. Of two cores, one is idle meanwhile. */
#pragma once

/* For sh -c: compile_steps, "sh", NVCC, ARGUMENT…: does what nvcc does, but translates both parts at the same time. The
 * steps are those that nvcc --dryrun prints. cudafe++ names the module, and cicc needs the name, so both get one here.
 * cicc optimises kernels side by side, if nvcc knows the option for it. If the steps are others, or one fails, nvcc
 * itself runs, and its messages are what the caller sees. A source that needs --extended-lambda gets it: the option
 * makes each compilation 1.7 s longer. */
static const char compile_steps[] =
    "whole() {\n"
    "  said=$(\"$@\" 2>&1) && status=0 || status=$?\n"
    "  case $status:$said in 0:*) ;; *--extended-lambda*) exec \"$@\" --extended-lambda ;; esac\n"
    "  [ -z \"$said\" ] || printf '%s\\n' \"$said\" >&2\n"
    "  [ \"$status\" -le 128 ] || kill -s $((status - 128)) $$\n"
    "  exit \"$status\"\n"
    "}\n"
    "all=$(\"$@\" -split-compile=2 --dryrun 2>&1) || all=$(\"$@\" --dryrun 2>&1) || whole \"$@\"\n"
    "count=0\n"
    "while IFS= read -r line; do\n"
    "  case $line in '#$ '*) line=${line#'#$ '} ;; *) continue ;; esac\n"
    "  name=${line%%=*}\n"
    "  case $name in\n"
    "    \"$line\" | *[!A-Za-z0-9_]*) count=$((count + 1)); eval \"step$count=\\$line\" ;;\n"
    "    *) export \"$name=${line#*=}\" ;;\n"
    "  esac\n"
    "done <<EOF\n"
    "$all\n"
    "EOF\n"
    "case $count:$step1:$step2:$step3:$step4:$step5:$step6:$step7 in\n"
    "  7:*' -E '*:cudafe++*--gen_module_id_file*--module_id_file_name*:*' -E '*:*cicc*:fatbinary*:rm*:*' -c '*) ;;\n"
    "  *) whole \"$@\" ;;\n"
    "esac\n"
    "named=${step2##*--module_id_file_name \\\"}\n"
    "printf %s _checkerboard_cu >\"${named%%\\\"*}\" || whole \"$@\"\n"
    "(eval \"$step3\" && eval \"$step4\") >said.device 2>&1 &\n"
    "(eval \"$step1\" && eval \"${step2%%--gen_module_id_file*}${step2#*--gen_module_id_file}\") >said.host 2>&1 &&\n"
    "  wait $! && (eval \"$step5\" && eval \"$step7\") >said.end 2>&1 || failed=1\n"
    "wait\n"
    "[ \"$failed\" ] || cat said.host said.device said.end >&2\n"
    "rm -f tmpxft* said.host said.device said.end\n"
    "[ ! \"$failed\" ] || whole \"$@\"\n";
