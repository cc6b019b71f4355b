import { WORK_TREE } from './task-input.ts'

/** `solution/solve.sh`: applies the patch beside it, whole or not at all. */
export const SOLVE_SCRIPT: string = `#!/bin/bash
# Applies the reference solution to the work tree, whole or not at all.
set -euo pipefail
here="$(cd "$(dirname "\${BASH_SOURCE[0]}")" && pwd)"
cd ${WORK_TREE}
export HOME="\${HOME:-/root}"
git config --global --add safe.directory ${WORK_TREE} || true
git apply --binary --whitespace=nowarn "$here/patch.diff"
`
