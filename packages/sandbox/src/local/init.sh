# Process 1 of a sandbox: mounts its root, leaves the host's tree behind, then lives until its standard input closes.
# Runs inside the new namespaces with the state directory as working directory. $1: folder of the sandbox.
# $2: command (several words) that runs the umount of the tool box after the root has changed.
set -eu
read -r pid rest </proc/self/stat
mount -i -a -T "$1/required.fstab"
mount -i -a -T "$1/optional.fstab" >/dev/null 2>&1 || :
# The new network has no interface up; sysfs sets the flag without iproute2.
if [ -e "$1/sysfs/class/net/lo/flags" ]; then
  echo 0x1 >"$1/sysfs/class/net/lo/flags" 2>/dev/null || :
elif [ "$3" = private ]; then
  ip link set lo up 2>/dev/null || :
fi
cd "$1/root"
pivot_root . dev/.r2e-host
cd /
$2 -i -n -l /dev/.r2e-host
# An ignored signal makes the kernel reap what is orphaned to us; else zombies would eat the process limit.
trap '' CHLD
echo "$pid"
exec >/dev/null 2>&1
while read -r line; do :; done
