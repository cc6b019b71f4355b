import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { linkModules } from './link-modules.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'r2e-link-modules-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))

function put(path: string, text = ''): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

/** The script with its two absolute folders moved below a scratch folder. */
function run(step: 'prepare' | 'link'): void {
  put('link.cjs', linkModules.replaceAll("'/r2e/", `'${root}/r2e/`).replaceAll("'/app'", `'${root}/app'`))
  execFileSync(process.execPath, [join(root, 'link.cjs'), step], { cwd: join(root, 'app') })
}

it('shows packages that lie outside the work tree, where cleaning it does not reach, and members inside it [I7]', () => {
  put('r2e/packages', '.\npackages/shapes\n')
  put('r2e/node/node_modules/left/index.js', 'module.exports = "left"\n')
  put('r2e/node/packages/shapes/package.json', '{"name":"shapes"}')
  symlinkSync('../packages/shapes', join(root, 'r2e/node/node_modules/shapes'))
  mkdirSync(join(root, 'app'))
  run('prepare')
  put('app/packages/shapes/index.js', 'module.exports = require("left") + " and shapes"\n')
  put('app/test.js', 'process.stdout.write(require("shapes"))\n')
  execFileSync('git', ['init', '-q', '.'], { cwd: join(root, 'app') })
  run('link')
  expect(execFileSync(process.execPath, ['test.js'], { cwd: join(root, 'app') }).toString()).toBe('left and shapes')
  execFileSync('git', ['clean', '-qdfx'], { cwd: join(root, 'app') })
  expect(existsSync(join(root, 'app/node_modules'))).toBe(false)
  expect(readFileSync(join(root, 'r2e/node/node_modules/left/index.js'), 'utf8')).toContain('left')
})
