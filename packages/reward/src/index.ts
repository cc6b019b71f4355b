// Rewards
export { changedLines } from './diff/changed-lines.ts'
// Types
export type { Similarity } from './diff/diff-similarity.ts'
export { diffSimilarity, MAX_LINES, MAX_UNITS } from './diff/diff-similarity.ts'
export { parseReport } from './reports/parse-report.ts'
// Reports
export { canonicalId } from './reports/report-builder.ts'
export type { Classes, Infrastructure, Observations, Origin } from './tests/classify.ts'
export { classify, parametrisedTest } from './tests/classify.ts'
export type { GradeDetails, GradeOptions, Statuses } from './tests/grade-tests.ts'
export { gradeTests } from './tests/grade-tests.ts'
export type { Proximity } from './tests/limit-pass-to-pass.ts'
export { limitPassToPass } from './tests/limit-pass-to-pass.ts'
export type { HarborError, HarborResult } from './tests/read-harbor-result.ts'
export { readHarborResult } from './tests/read-harbor-result.ts'
export { isScopeOf } from './tests/scope.ts'
