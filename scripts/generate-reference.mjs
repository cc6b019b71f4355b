// Writes the generated parts of docs/reference. Run: node --conditions=@r2e/source scripts/generate-reference.mjs
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { referenceFiles } from '../apps/cli/src/reference/files.ts'

for (const [path, content] of await referenceFiles(fileURLToPath(new URL('../', import.meta.url)))) {
  await writeFile(path, content)
  process.stdout.write(`wrote ${path}\n`)
}
