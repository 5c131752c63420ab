# Runs a command inside a root folder of another Debian. To be started by `unshare --mount --pid --fork`: the mounts belong
# to that namespace alone, so the system takes them down with its last process, whatever ends it.
# Usage: inside.sh ROOT CLONE OWN SHARED FILES COMMAND...
#   OWN: becomes the clone's `.vscode-test`. SHARED and FILES: lists of folders and files, separated by colons.
set -eu
root=$1 clone=$2 own=$3 shared=$4 files=$5
shift 5

mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/tmp"
chmod 1777 "$root/tmp"

# What is compiled inside must not replace what the machine's own compilers have built, so the clone's changes are dropped.
if [ -n "$clone" ]; then
  mkdir -p "$root$clone" "$root/mnt"
  mount -t tmpfs tmpfs "$root/mnt"
  mkdir "$root/mnt/changes" "$root/mnt/work"
  mount -t overlay overlay -o "lowerdir=$clone,upperdir=$root/mnt/changes,workdir=$root/mnt/work" "$root$clone"
  mkdir -p "$root$clone/.vscode-test"
  mount --bind "$own" "$root$clone/.vscode-test"
fi

IFS=:
for folder in $shared; do
  mkdir -p "$root$folder"
  mount --bind "$folder" "$root$folder"
done
for file in $files; do
  [ -e "$file" ] || continue
  mkdir -p "$(dirname "$root$file")"
  if [ -d "$file" ]; then mkdir -p "$root$file"; else [ -e "$root$file" ] || : > "$root$file"; fi
  mount --bind "$file" "$root$file"
  mount -o remount,bind,ro "$root$file"
done
unset IFS

# Not `exec`: this shell is the first process of its namespace, and collects the ended ones that nobody waits for.
chroot "$root" /bin/sh -c 'cd "$0" && exec "$@"' "${clone:-/}" "$@"
