import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { entriesBelow } from './entries-below.ts'

/**
 * What runs with their state in `cwd/state` and their dataset in `cwd/out` left: half-written things, live sandboxes,
 * processes and mounts that name the folder, temporary files. Empty when all is clean.
 */
export async function leftovers(cwd: string): Promise<string[]> {
  const halves = ['out/.r2e-tmp', 'state/sandbox/s', 'state/sandbox/n', 'tmp']
  const files = await Promise.all(
    halves.map(async (folder) => (await list(join(cwd, folder))).map((name) => `${folder}/${name}`)),
  )
  const journals = (await list(join(cwd, 'state/runs'))).map(async (run) => {
    const names = await list(join(cwd, 'state/runs', run))
    return names.includes('journal.jsonl') && !names.includes('lock') ? [] : [`state/runs/${run}: ${names}`]
  })
  const temporary = (await entriesBelow(join(cwd, 'state'), (path) => /^sandbox\/[lr]$/.test(path)))
    .filter((name) => /(^|[./-])(tmp|temp|partial)([./-]|$)/i.test(name))
    .map((name) => `state/${name}`)
  const settled = [...files.flat(), ...(await Promise.all(journals)).flat(), ...temporary]
  return [...settled, ...(await processes(cwd))]
}

/** Waits until nothing is left, or the time is over; answers what is still there. */
export async function leftoversAfter(cwd: string, milliseconds: number): Promise<string[]> {
  const end = Date.now() + milliseconds
  for (;;) {
    const found = await leftovers(cwd)
    if (found.length === 0 || Date.now() > end) return found
    await new Promise((next) => setTimeout(next, 200))
  }
}

export async function processes(cwd: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
  const found = await Promise.all(
    pids.map(async (pid) => {
      const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'latin1').catch(() => '')
      const command = await read('cmdline')
      const seen = `${command}${await read('environ')}${await read('mountinfo')}`
      return seen.includes(cwd) ? [`process ${pid} ${command.replaceAll('\0', ' ').slice(0, 120)}`] : []
    }),
  )
  return found.flat()
}

/** Containers that one process of this tool started. */
export async function containersOf(pid: number | undefined): Promise<string[]> {
  const { stdout } = await promisify(execFile)('docker', ['ps', '-aq', '--filter', `label=r2e.pid=${pid}`])
  return stdout.split('\n').filter(Boolean)
}

const list = (folder: string) => readdir(folder).catch(() => [] as string[])
