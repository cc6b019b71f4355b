import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { changedLines, diffSimilarity, MAX_LINES, MAX_UNITS } from '@r2e/reward'
import { decodeUtf8, userError } from '@r2e/spec'
import { absolutePath } from '../config/normalise.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { jsonLine } from '../output/json-line.ts'
import type { CommandRequest } from './command.ts'

export async function run({ flags }: CommandRequest, context: Context): Promise<number> {
  const [task, prediction] = [required(flags, 'task'), required(flags, 'prediction')]
  const metric = metricOf(flags.get('metric'))
  const oracle = await readText(
    join(absolutePath(task, context), 'solution', 'patch.diff'),
    join(task, 'solution/patch.diff'),
  )
  const predicted =
    prediction === '-' ? await readInput() : await readText(absolutePath(prediction, context), prediction)
  const result = metrics[metric](oracle, predicted)
  if (context.output.json) context.output.result(jsonLine({ metric, ...result }))
  else if (result.similarity !== null) context.output.result(String(result.similarity))
  else
    context.output.warn(
      `${result.status}: the two patches hold more than ${MAX_LINES} lines or ${MAX_UNITS} characters`,
    )
  return result.similarity === null ? EXIT.failed : EXIT.ok
}

const metrics = { ratio_v07: diffSimilarity, changed_lines: changedLines }

function metricOf(value: unknown): keyof typeof metrics {
  const name = value ?? 'ratio_v07'
  if (name === 'ratio_v07' || name === 'changed_lines') return name
  throw userError('wrong_value', `--metric must be ratio_v07 or changed_lines, got ${String(name)}`)
}

function required(flags: CommandRequest['flags'], name: string): string {
  const value = flags.get(name)
  if (typeof value === 'string') return value
  throw userError('missing_value', `--${name} is not given`, { fix: 'r2e reward --task DIR --prediction FILE' })
}

async function readText(path: string, name: string): Promise<string> {
  try {
    return decodeUtf8(await readFile(path))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw userError('file_not_found', `cannot read ${name}: ${code}`, { fix: `looked at ${path}`, cause: error })
  }
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return decodeUtf8(Buffer.concat(chunks))
}
