export { graderFiles, graderVersion } from './grader-files.ts'
