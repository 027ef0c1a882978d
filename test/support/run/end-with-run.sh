#!/bin/sh
# Lives until the process that holds the other end of its standard input is gone, however it went; then ends what that
# one left running, and removes its folder. The folder comes as a line of input: as an argument it would mark this shell.
# With a second line it leaves the processes to who comes after.
read -r folder
read -r word
if [ -z "$word" ]; then sh "$(dirname "$0")/../ci/end-marked.sh" "$folder"; fi
# A server that was left to whoever comes after may still write into it: a file made meanwhile keeps its folder.
tries=0
while [ -e "$folder" ] && [ "$tries" -lt 300 ]; do
  # By no program that is marked, in its arguments or its environment: it would be taken for one that was left running.
  (cd "$folder" && unset PWD OLDPWD && exec find . -mindepth 1 -delete) 2>/dev/null
  rmdir "$folder" 2>/dev/null
  tries=$((tries + 1))
  if [ -e "$folder" ]; then sleep 1; fi
done
