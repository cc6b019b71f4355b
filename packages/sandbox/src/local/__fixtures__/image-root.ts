import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The unpacked root of an image of the local Docker engine, kept between runs; undefined where there is no such image. */
export function unpackImage(image: string): string | undefined {
  try {
    const id = execFileSync('docker', ['image', 'inspect', '--format', '{{.Id}}', image], { stdio: ['ignore', 'pipe', 'ignore'] })
    const root = join(tmpdir(), 'r2e-test-roots', id.toString().trim().replace(/\W/g, '-').slice(0, 24))
    if (!existsSync(root)) unpack(image, root)
    return root
  } catch {
    return undefined
  }
}

function unpack(image: string, root: string): void {
  const temporary = `${root}.${process.pid}`
  mkdirSync(temporary, { recursive: true })
  const container = execFileSync('docker', ['create', image, 'true']).toString().trim()
  try {
    execFileSync('/bin/sh', ['-c', 'docker export "$1" | tar -x -C "$2"', 'sh', container, temporary])
    renameSync(temporary, root)
  } finally {
    execFileSync('docker', ['rm', container])
    rmSync(temporary, { recursive: true, force: true })
  }
}
