#!/bin/sh
# Lives until the process that holds the other end of its standard input is gone, however it went; then ends what that
# one left running, and removes its folder. The folder comes as a line of input: as an argument it would mark this shell.
# With a second line it leaves the processes to who comes after.
read -r folder
read -r word
if [ -z "$word" ]; then sh "$(dirname "$0")/../ci/end-marked.sh" "$folder"; fi
rm -rf "$folder"
