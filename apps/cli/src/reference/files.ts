import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { apiBlocks } from './api.ts'
import { referenceBlocks } from './blocks.ts'
import { configJsonSchema } from './config-schema.ts'
import { fillMarks } from './markdown.ts'

/** Every generated file below `root` with the content it should have. */
export async function referenceFiles(root: string): Promise<ReadonlyMap<string, string>> {
  const specification = join(root, 'docs/reference/SPEC.md')
  const api = join(root, 'docs/reference/API.md')
  return new Map([
    [api, fillMarks(await readFile(api, 'utf8'), await apiBlocks(root))],
    [join(root, 'docs/reference/config.schema.json'), configJsonSchema()],
    [specification, fillMarks(await readFile(specification, 'utf8'), await referenceBlocks())],
  ])
}
