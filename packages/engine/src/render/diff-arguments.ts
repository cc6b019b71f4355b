/** `info/attributes` of every repository we make: no attribute of the tree may change bytes or the form of a diff. */
export const SNAPSHOT_ATTRIBUTES = '* -text -ident -filter -working-tree-encoding !diff'

/**
 * Arguments after `git` that print the index as a change of HEAD, or of a tree that follows. One list for the oracle
 * and for the agent's diff, every setting that a configuration could change stated.
 */
export const DIFF_ARGUMENTS: readonly string[] = [
  ...['-c', 'core.quotePath=true', '-c', 'diff.suppressBlankEmpty=false', '-c', 'core.attributesFile=/dev/null'],
  ...['diff', '--cached', '--binary', '--full-index', '--no-renames', '--no-color', '--no-ext-diff', '--no-textconv'],
  ...['--unified=3', '--inter-hunk-context=0', '--diff-algorithm=myers', '--indent-heuristic', '--no-relative'],
  ...['--src-prefix=a/', '--dst-prefix=b/', '--ignore-submodules=none', '-O/dev/null'],
]
