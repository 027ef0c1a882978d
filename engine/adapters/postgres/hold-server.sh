#!/bin/sh
# Lives beside a process that uses the embedded Postgres of a folder, and keeps a file named by its own id there as long
# as that one does. After the last of them it stops the server, by a fast shutdown: what was committed is on disk.
# The folder comes as a line of input. "release" is a user that has ended in order, "leave" one that found the server
# running for somebody who left no note. An end of the input without a word is one that was killed: it has a while to
# come back, and to find its server running.
read -r folder || exit 0
users=$folder/postgres.users
umask 077

# Linux shows in /proc what a process was started with, macOS by ps.
command_of() {
  if [ -e /proc/self/cmdline ]; then tr '\0' ' ' <"/proc/$1/cmdline"; else ps -ww -o command= -p "$1"; fi 2>/dev/null
}

# Of the server that runs now; nothing where none does. Its id alone could by now be another program's.
server_of_folder() {
  { read -r pid && read -r data; } 2>/dev/null <"$folder/postgres/postmaster.pid" || return
  case $(command_of "$pid") in *"$data"*) echo "$pid" ;; esac
}

is_running() {
  [ -n "$1" ] && case $(command_of "$1") in *postgres*) ;; *) false ;; esac
}

tries=0
found=known
until touch "$users/$$" 2>/dev/null; do
  # Nobody used it; or the last of them has removed it meanwhile, and now stops the server.
  mkdir "$users" 2>/dev/null && found=unused
  tries=$((tries + 1))
  # A disk that is full or may not be written: the server is used without us, as it fails for the same reason.
  [ "$tries" -lt 50 ] || exit 0
done
echo "$found"

read -r word
server=$(server_of_folder)
if [ -z "$word" ]; then sleep 5; fi

rm -f "$users/$$"
for file in "$users"/*; do
  case $(command_of "${file##*/}") in *hold-server.sh*) ;; *) rm -f "$file" ;; esac
done
# Fails as long as somebody else uses it. Where the whole folder was removed, its server is left, and ends.
rmdir "$users" 2>/dev/null || [ ! -e "$folder" ] || exit 0
[ "$word" != leave ] || exit 0
now=$(server_of_folder)
server=${now:-$server}
is_running "$server" || exit 0
kill -INT "$server" 2>/dev/null
tries=0
while is_running "$server" && [ "$tries" -lt 600 ]; do
  tries=$((tries + 1))
  sleep 0.1
done
