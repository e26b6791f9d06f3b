#!/usr/bin/env bash
# job.bash FOLDER SECONDS NAME [VARIABLE=VALUE]... PROGRAM ARGUMENT...: runs one program of ./kit run. Its output,
# errors and exit status (124: stopped after SECONDS of CPU time, or ten times as long) go to FOLDER/NAME.out, .err and
# .status. A terminal shows the progress.
folder=$1 limit=$2 name=$3
shopt -s nullglob
finished=("$folder"/*.status)
[[ ! -t 2 ]] || printf '\r\033[Kcomputing %s (%d of %d finished)' "$name" "${#finished[@]}" "$(wc -l <"$folder/all_jobs")" >&2
status=0
most=$(ulimit -H -t) # of whoever runs the kit
[[ $most == unlimited || $most -gt $limit ]] || limit=$most
# in the foreground, so that Ctrl-C reaches the program
{
  (ulimit -S -c 0 -t "$limit" && exec timeout --foreground "$((10 * limit))" env "${@:4}" </dev/null >"$folder/$name.out" 2>"$folder/$name.err") ||
    status=$?
} 2>/dev/null # the shell would name the signal
# SIGXCPU ends the program or its device
((status != 128 + 24)) && ! grep -qs 'killed by signal 24' "$folder/$name.err" || status=124
echo "$status" >"$folder/$name.status"
