import { writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { userError } from '@r2e/spec'
import { absolutePath } from '../config/normalise.ts'
import { sampleConfig } from '../config/sample.ts'
import type { Context } from '../context.ts'
import { jsonLine } from '../output/json-line.ts'
import type { CommandRequest } from './command.ts'

export async function run({ flags }: CommandRequest, context: Context): Promise<number> {
  const name = (flags.get('out') as string | undefined) ?? 'repo2rlenv.config.yaml'
  if (!['.yaml', '.yml'].includes(extname(name))) {
    throw userError('unknown_format', `${name}: the sample is YAML`, { fix: 'name it .yaml or .yml' })
  }
  const path = absolutePath(name, context)
  try {
    await writeFile(path, sampleConfig, { flag: flags.has('force') ? 'w' : 'wx' })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST')
      throw userError('file_exists', `${name} exists`, { fix: 'give --force to replace it, or --out' })
    if (code === 'ENOENT')
      throw userError('no_folder', `${name}: its folder does not exist`, { fix: 'make it, or --out' })
    throw error
  }
  if (context.output.json) context.output.result(jsonLine({ file: path }))
  else context.output.say(`wrote ${name}\nnext     edit repo.url in it, then: r2e generate --config ${name} --dry-run`)
  return 0
}
