# Process 1 of a sandbox: mounts its root, leaves the host's tree behind, then lives until its standard input closes.
# Runs inside the new namespaces with the state directory as working directory. $1: folder of the sandbox. $2: its network,
# `host` or `private`. $3, $4: commands (several words) of the tool box: one that unmounts, one that waits for the end of
# its input with the death of children ignored, so that the kernel reaps what is orphaned to us.
set -eu
read -r pid rest </proc/self/stat
mount -i -a -T "$1/required.fstab"
mount -i -a -T "$1/optional.fstab" >/dev/null 2>&1 || :
# The new network has no interface up; sysfs sets the flag without iproute2.
if [ "$2" = private ] && ! { echo 0x1 >"$1/sysfs/class/net/lo/flags"; } 2>/dev/null; then
  ip link set lo up 2>/dev/null || :
fi
cd "$1/root"
pivot_root . dev/.r2e-host
cd /
$3 -i -n -l /dev/.r2e-host
echo "$pid"
exec $4 >/dev/null 2>&1
