#!/bin/bash
# Entry of the verifier. Whatever happens below, a reward exists: the failing one is written before anything can fail.
# No "set -e": every path must reach the end.
set +x # a trace may go where "$(…)" reads
container_path=$PATH
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
umask 022
tests=$(cd -P "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
logs=${R2E_LOGS:-/logs/verifier}

remove_rewards() {
  local name
  for name in reward.json reward.txt reward-details.json tests.json test-output.txt; do
    rm -rf -- "${logs:?}/$name"
  done
}

# Sets "parent" and "group"; "parent" is empty for a process that has ended ("gone" says so), and for the container's own
# session: where process 1 is an init, its first child keeps the container alive, and nothing that was
# started later can join that session. The name in field 2 may hold blanks and brackets.
read_parent() {
  local stat=
  parent= group= gone=
  { IFS= read -r -d '' stat < "/proc/$1/stat"; } 2>/dev/null
  stat=${stat##*) }
  case $stat in
    '' | Z*) gone=1 ;;
    *)
      set -- $stat
      [ "$4" = 1 ] || { parent=$2 group=$3; }
      ;;
  esac
}

# Processes the agent left could rewrite the reward. Spared: process 1, this shell's ancestors and their other children
# (a "tee" of the caller). In the machine's own process namespace nothing is killed: that is somebody's computer.
# What forks and exits without end is hardly ever where a look finds it: its group ends it, or at last a halt of all
# processes, which no fork escapes. Sets "stuck" where some cannot be ended: then nothing is graded.
kill_leftovers() {
  local pid parent group gone groups ancestors=' ' found=1 round dead=' ' ended
  stuck=
  [ "${R2E_KEEP_PROCESSES:-}" = 1 ] && return
  case "$(readlink /proc/self/ns/pid)" in
    'pid:[4026531836]') return ;;
    'pid:['*']') ;;
    *) return ;;
  esac
  read_parent $$
  groups=" $group "
  while [ "${parent:-0}" -gt 1 ]; do
    ancestors="$ancestors$parent "
    read_parent "$parent"
    groups="$groups$group "
  done
  for round in {1..400}; do
    [ "$round" = 100 ] && kill -STOP -1 2>/dev/null
    found= ended=' '
    for pid in /proc/[0-9]*; do
      pid=${pid#/proc/}
      [ "$pid" = 1 ] || [ "$pid" = $$ ] && continue
      read_parent "$pid"
      # One that was alive in the round before may have left a child that is not listed.
      if [ -n "$gone" ]; then
        ended="$ended$pid "
        case $dead in *" $pid "*) ;; *) found=1 ;; esac
      fi
      [ -z "$parent" ] || [ "$parent" = $$ ] && continue
      case $ancestors in *" $pid "* | *" $parent "*) continue ;; esac
      case $groups in *" $group "*) ;; *) [ "$group" -gt 1 ] && kill -KILL -- "-$group" 2>/dev/null ;; esac
      kill -KILL "$pid" 2>/dev/null
      found=1
    done
    [ -z "$found" ] && break
    dead=$ended
  done
  [ "$round" -ge 100 ] && kill -CONT -1 2>/dev/null
  stuck=$found
}

# Sets "python": the system's, which the project cannot have replaced; else one of PATH outside the work tree.
find_python() {
  local directory
  for python in /usr/bin/python3 /usr/local/bin/python3; do
    is_usable "$python" && return
  done
  local IFS=:
  for directory in $container_path; do
    directory=$(cd -P "$directory" 2>/dev/null && pwd -P) || continue
    case $directory/ in "$PWD"/*) continue ;; esac
    python=$directory/python3
    is_usable "$python" && return
  done
  python=
}

is_usable() {
  [ -x "$1" ] && "$1" -I -S -c 'import sys; sys.exit(sys.version_info < (3, 9))' > /dev/null 2>&1
}

mkdir -p -- "$logs"
remove_rewards
kill_leftovers
remove_rewards
printf '0\n' > "$logs/reward.txt"
printf '{"reward": 0}\n' > "$logs/reward.json"

find_python
if [ -n "$stuck" ]; then
  printf '{"reward": 0, "status": "processes_left"}\n' > "$logs/reward-details.json"
elif [ -n "$python" ]; then
  R2E_LOGS=$logs R2E_PATH=$container_path "$python" -I -S "$tests/grade.py" grade < /dev/null
else
  printf '{"reward": 0, "status": "no_python"}\n' > "$logs/reward-details.json"
fi
exit 0
