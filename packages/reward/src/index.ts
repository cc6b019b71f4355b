export { changedLines } from './diff/changed-lines.ts'
export { diffSimilarity, MAX_LINES, MAX_UNITS } from './diff/diff-similarity.ts'
