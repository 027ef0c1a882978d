#!/bin/sh
# Ends every process that was started with the mark $1 in its environment or its arguments, and says which. Fails where
# there was one. The mark stands in PATH, as a folder that is not there: tests give their processes an environment of
# their own, and PATH is in every one of them. Chromium overwrites its own, and has its folder in its arguments.
mark=$1
found=0

# Linux shows in /proc what a process was started with, macOS by ps.
marked() {
  if [ -e /proc/self/environ ]; then
    grep -lsF -- "$mark" /proc/[0-9]*/environ /proc/[0-9]*/cmdline | tr -dc '0-9\n'
  else
    ps -axEww -o pid=,command= | grep -F -- "$mark" | sed 's/^ *\([0-9]*\).*/\1/'
  fi
}

command_of() {
  if [ -e /proc/self/cmdline ]; then tr '\0' ' ' <"/proc/$1/cmdline"; else ps -o command= -p "$1"; fi 2>/dev/null
}

for round in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24; do
  again=0
  for pid in $(marked); do
    command=$(command_of "$pid")
    # Empty: it has ended, as the programs of this search have.
    if [ "$pid" = "$$" ] || [ -z "$command" ]; then continue; fi
    again=1
    found=1
    case $round$command in
      # Postgres frees its shared memory on its way out, which takes a while on a busy machine: until the 20th round.
      1*postgres*) kill -QUIT "$pid" ;;
      [3-9]*postgres* | 2[!0-9]*postgres*) ;;
      *) kill -KILL "$pid" ;;
    esac 2>/dev/null
    if [ "$round" = 1 ]; then echo "left running: $pid $command" >&2; fi
  done
  if [ "$again" = 0 ]; then break; fi
  sleep 0.3
done
exit "$found"
