# Holds one sandbox: starts its process 1 and, whatever ends that, removes the folder and control groups of the sandbox.
# The owner keeps our standard input open; when it dies in any way, process 1 reads the end of it and the kernel kills the
# rest. $1: folder of the sandbox. $2 to $4: network and tool commands for process 1. $5: flags of unshare. $6: those that
# map users, or nothing. $7: control groups, one a line.
set -u
unshare $5 /bin/sh "${0%/*}/init.sh" "$1" "$2" "$3" "$4"
status=$?
if [ -n "$6" ]; then
  unshare $6 rm -rf -- "$1"
else
  rm -rf -- "$1"
fi
IFS='
'
for group in $7; do
  tries=0
  while [ -d "$group" ] && ! rmdir -- "$group" 2>/dev/null && [ "$tries" -lt 50 ]; do
    sleep 0.05
    tries=$((tries + 1))
  done
done
exit "$status"
