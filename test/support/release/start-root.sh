#!/bin/sh
# Runs a program on the root of an image as docker-compose.yml describes it: as nobody who may do anything, and where
# nothing can be written but in its volume and in memory. It stands in namespaces of its own, so its mounts end with it.
# $1: the root; $2: a folder for its volume; $3: a folder that it can read; $4, $5: user and group; $6: the folder in which
# it starts; the rest: the program with its arguments. Its environment is this one's.
set -eu
root=$1 volume=$2 given=$3 user=$4 group=$5 folder=$6
shift 6
path_there=$PATH
PATH=/usr/sbin:/usr/bin:/sbin:/bin
setpriv=$(command -v setpriv)
unshare=$(command -v unshare)
mkdir -p "$root/proc" "$root/dev" "$root/given"
mount --bind "$root" "$root"
mount -o remount,bind,ro,nosuid,nodev "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o nosuid,mode=755 tmpfs "$root/dev"
mkdir "$root/dev/shm"
for device in null zero random urandom; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mount -t tmpfs -o nosuid,nodev,mode=1777 tmpfs "$root/dev/shm"
mount -t tmpfs -o nosuid,nodev,mode=1777,size=256m tmpfs "$root/tmp"
mount --bind "$volume" "$root/data"
mount --bind -o ro "$given" "$root/given"
# What it takes to change root and user is dropped with the user, and cannot be had again.
exec env PATH="$path_there" "$setpriv" --no-new-privs --inh-caps=-all --bounding-set=-all,+sys_chroot,+setuid,+setgid \
  "$unshare" --root "$root" --wd "$folder" --setgid "$group" --setuid "$user" -- "$@"
