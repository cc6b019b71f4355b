import { chmodSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBench, output, temporaryFolder, unsupported } from './__fixtures__/local-bench.ts'
import { planHostRoot } from './host-root.ts'
import { isWithin } from './root.ts'

const home = temporaryFolder('r2e-home-')
const asRoot = process.geteuid?.() === 0

function put(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), text)
  chmodSync(join(home, path), mode)
}

const SECRETS = [
  '.ssh/id_ed25519',
  '.aws/credentials',
  '.netrc',
  '.config/gh/hosts.yml',
  '.docker/config.json',
  '.cargo/credentials.toml',
  '.npmrc',
  '.git-credentials',
  '.cache/huggingface/token',
  'documents/letter',
]
for (const path of SECRETS) put(path, 'a-secret-of-the-host')
put('.pyenv/shims/home-tool', '#!/bin/sh\necho home tool\n', 0o755)
put('tools/bin/path-tool', '#!/bin/sh\necho path tool\n', 0o755)
put('project/.venv/pyvenv.cfg', '')
put('project/.venv/bin/venv-tool', '#!/bin/sh\n', 0o755)
chmodSync(home, 0o755)
const environment = {
  PATH: `${['.pyenv/shims', 'tools/bin', 'project/.venv/bin'].map((path) => join(home, path)).join(':')}:/usr/bin:/bin`,
  GITHUB_TOKEN: 'a-secret-of-the-host',
  PIP_INDEX_URL: 'https://index.example/simple',
  SSL_CERT_FILE: join(home, '.config/own.pem'),
}
put('.config/own.pem', 'certificate')

describe.skipIf(unsupported)(`host's own tree${unsupported ? ` (cannot run here: ${unsupported})` : ''}`, () => {
  const stateDirectory = temporaryFolder()
  const bench = createBench({ stateDirectory, home, environment })
  let sandbox: Awaited<ReturnType<typeof bench.open>>
  beforeAll(async () => {
    sandbox = await bench.open()
  })
  afterAll(async () => await sandbox?.[Symbol.asyncDispose]())

  it('shows toolchains of the home folder and of the search path, and keeps changes to itself', async () => {
    expect(await output(sandbox, 'home-tool; path-tool; which sh')).toBe('home tool\npath tool\n/usr/bin/sh\n')
    await output(
      sandbox,
      `echo changed > ${home}/.pyenv/shims/home-tool; echo x > /usr/r2e-was-here; rm -rf ${home}/tools`,
    )
    expect(await output(sandbox, `cat ${home}/.pyenv/shims/home-tool; ls /usr/r2e-was-here`)).toBe(
      'changed\n/usr/r2e-was-here\n',
    )
    expect(statSync(join(home, 'tools/bin/path-tool')).mode & 0o777).toBe(0o755)
    expect(() => statSync('/usr/r2e-was-here')).toThrow()
  })

  it('shows nothing else of the home folder, nor of the state directory', async () => {
    const seen = await output(
      sandbox,
      `for path in ${SECRETS.join(' ')}; do cat ${home}/$path; done; cat ${home}/.config/own.pem; ls ${stateDirectory}; which venv-tool; echo end`,
    )
    expect(seen).not.toContain('a-secret')
    expect(seen.match(/No such file or directory/g)).toHaveLength(SECRETS.length + 2)
  })

  it('has an environment of its own, and no tree of the host under any name', async () => {
    const env = await output(sandbox, 'env')
    expect(env.split('\n').map((line) => line.split('=')[0])).toEqual(expect.arrayContaining(['PATH', 'HOME', 'LANG']))
    expect(env).not.toMatch(/a-secret|PIP_|SSL_CERT|venv/)
    expect(
      await output(sandbox, 'ls -A /dev/.r2e-host /dev/.r2e-build /home /mnt /media /srv /var/log /var/tmp'),
    ).not.toMatch(/^[^/\n].*[^:\n]$/m)
  })

  it('gives the settings of package clients to a build, and only to it', async () => {
    const built = await bench.build(
      'FROM any\nRUN echo "[$PIP_INDEX_URL][$GITHUB_TOKEN]"; cat "$SSL_CERT_FILE"; echo; false\n',
    )
    expect(built.log).toContain('[https://index.example/simple][]\ncertificate\n')
  })

  it.skipIf(!asRoot)('hides from root what an ordinary user may not read', async () => {
    const seen = await output(
      sandbox,
      'cat /etc/shadow | cut -d: -f2 | sort -u; find /etc /opt -not -perm -o+r -type f',
    )
    expect(seen).toBe('*\n/etc/gshadow\n/etc/shadow\n')
  })
})

describe('planHostRoot', () => {
  const plan = (stateDirectory: string) =>
    planHostRoot({ home, environment: {}, stateDirectory, mounts: [], asRoot: true })

  it('shows the children of a folder that holds the state directory, but never that one', async () => {
    const { root } = await plan('/usr/lib/r2e-state')
    const paths = root.parts.map(({ path }) => path)
    expect(paths).not.toContain('/usr')
    expect(paths).not.toContain('/usr/lib')
    expect(paths).toContain('/usr/bin')
    expect(paths.filter((path) => isWithin('/usr/lib/r2e-state', path))).toEqual(['/'])
  })

  it('names the same tree by the same id, and another by another', async () => {
    const one = await plan('/nowhere')
    expect((await plan('/nowhere')).root.id).toBe(one.root.id)
    put('.rustup/new', '')
    expect((await plan('/nowhere')).root.id).not.toBe(one.root.id)
  })
})

describe.skipIf(unsupported || !asRoot)('the name of a root whose state lies below /var', () => {
  const folders = ['/var/lib/r2e-test-state', '/var/lib/r2e-test-other']
  afterAll(() => {
    for (const path of folders) rmSync(path, { recursive: true, force: true })
  })

  it('stays what it is while other programs of the machine come and go beside it', async () => {
    const [stateDirectory, other] = folders as [string, string]
    mkdirSync(stateDirectory, { recursive: true })
    const name = async () => (await planHostRoot({ home, environment, stateDirectory, mounts: [], asRoot })).root.id
    const before = await name()
    mkdirSync(other)
    expect(await name()).toBe(before)
  })
})
