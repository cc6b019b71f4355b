export { type GraderNeeds, graderFiles, graderFilesFor, graderVersion } from './grader-files.ts'
