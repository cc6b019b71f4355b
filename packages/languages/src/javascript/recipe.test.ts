import { describe, expect, it } from 'vitest'
import { recipeInput } from '../__fixtures__/recipe-input.ts'
import { nodeMajor } from './node-version.ts'
import { javascriptRecipes } from './recipe.ts'

const json = (value: unknown) => JSON.stringify(value)
const plain = {
  'package.json': json({
    name: 'a',
    scripts: { test: 'mocha', postinstall: 'node evil.js' },
    devDependencies: { mocha: '^10' },
    engines: { node: '>=18 <21' },
  }),
  'test/a.js': "it('a', () => {})",
}
const recipesOf = (files: Readonly<Record<string, string>>) => javascriptRecipes(recipeInput(files))
const firstOf = async (files: Readonly<Record<string, string>>) => (await recipesOf(files))[0]!
const runs = (recipe: { dependencies: readonly { run: string }[] }) =>
  recipe.dependencies.map(({ run }) => run).join('\n')
const fileOf = (recipe: { files: readonly { path: string; text: string }[] }, path: string) =>
  recipe.files.find((file) => file.path === path)?.text

describe('recipes of JavaScript', () => {
  it('begin with the lock, then what was there when the commit was made, then what is there today [I14]', async () => {
    const recipes = await recipesOf({ ...plain, 'package-lock.json': '{}' })
    expect(recipes.map((recipe) => [runs(recipe).split('\n')[0], fileOf(recipe, 'node/.npmrc')])).toEqual([
      ['cd /r2e/node && npm ci --no-audit --no-fund --dangerously-allow-all-scripts=true', undefined],
      [
        'cd /r2e/node && npm install --no-audit --no-fund --dangerously-allow-all-scripts=true --legacy-peer-deps --no-package-lock',
        'before=2024-03-01T00:00:00.000Z\n',
      ],
      [
        'cd /r2e/node && npm install --no-audit --no-fund --dangerously-allow-all-scripts=true --legacy-peer-deps --no-package-lock',
        undefined,
      ],
    ])
    expect(recipes[0]).toMatchObject({ runner: 'mocha', baseImage: 'node:20', suite: ['node_modules/.bin/mocha'] })
  })

  it("leave the project's own scripts out, and its secrets [I3]", async () => {
    const npmrc =
      // biome-ignore lint/suspicious/noTemplateCurlyInString: as npm expands it
      '//registry.example.com/:_authToken=abc\nregistry=https://example.com\nlegacy-peer-deps=true\n_auth=x\na=${TOKEN}\n'
    const recipe = await firstOf({ ...plain, '.npmrc': npmrc, 'package-lock.json': '{}' })
    expect(fileOf(recipe, 'node/package.json')).not.toContain('evil')
    expect(fileOf(recipe, 'node/.npmrc')).toBe('legacy-peer-deps=true\n')
  })

  it('put no text of the repository into a command', async () => {
    const evil = '$(touch /x)`;\n'
    const recipes = await recipesOf({
      'package.json': json({
        packageManager: `pnpm@9.1.0${evil}`,
        workspaces: [evil, '**'],
        scripts: { test: `mocha ${evil}` },
      }),
      'pnpm-lock.yaml': `lockfileVersion: '${evil}'`,
      '.nvmrc': evil,
      'p$(x)/package.json': '{}',
      'test/a.js': '',
    })
    for (const recipe of recipes)
      for (const { run } of [...recipe.dependencies, ...recipe.project]) expect(run).not.toMatch(/touch|\$\(x/)
  })

  const managers: readonly [title: string, files: Record<string, string>, tool: string | undefined, run: string][] = [
    [
      'pnpm of the declared version',
      { 'pnpm-lock.yaml': "lockfileVersion: '9.0'" },
      '{"pnpm":"10.1.2"}',
      'pnpm install --frozen-lockfile',
    ],
    [
      'yarn of the first line',
      { 'yarn.lock': '# yarn lockfile v1' },
      '{"yarn":"1"}',
      'yarn install --non-interactive --ignore-engines --frozen-lockfile',
    ],
    ['a newer yarn', { 'yarn.lock': '__metadata:\n  version: 8' }, '{"@yarnpkg/cli-dist":"4"}', 'yarn install'],
    ['bun', { 'bun.lock': '{}' }, undefined, 'bun install --frozen-lockfile'],
  ]
  for (const [title, files, tool, run] of managers)
    it(`install by ${title}`, async () => {
      const manifest = json({ ...JSON.parse(plain['package.json']), packageManager: 'pnpm@10.1.2+sha512.abc' })
      const recipe = await firstOf({ ...plain, ...files, 'package.json': manifest })
      expect(runs(recipe)).toContain(run)
      expect(fileOf(recipe, 'tools/package.json')?.includes(tool ?? '')).toBe(tool === undefined ? undefined : true)
    })

  it('take pnpm by the version of its lock file', async () => {
    const toolOf = async (version: string) =>
      fileOf(await firstOf({ ...plain, 'pnpm-lock.yaml': `lockfileVersion: ${version}\n` }), 'tools/package.json')
    expect(await Promise.all(['5.3', '5.4', "'6.0'", "'9.0'"].map(toolOf))).toEqual(
      ['6', '7', '8', '9'].map((major) => expect.stringContaining(`"pnpm":"${major}"`)),
    )
  })

  const workspace = {
    'package.json': json({
      private: true,
      workspaces: ['packages/*', '!packages/c'],
      scripts: { test: 'turbo run test', build: 'tsc' },
    }),
    'packages/a/package.json': json({ name: 'a', scripts: { test: 'vitest' } }),
    'packages/a/a.test.ts': '',
    'packages/b/package.json': json({ name: 'b', scripts: { test: 'vitest --config x.ts' } }),
    'packages/b/b.test.ts': '',
    'packages/c/package.json': json({ name: 'c', scripts: { test: 'vitest' } }),
    'packages/c/c.test.ts': '',
    'other/package.json': '{}',
  }

  it('run the suites of all members of a workspace', async () => {
    const recipe = await firstOf(workspace)
    expect(recipe.suite).toEqual([
      'env -C packages/a node_modules/.bin/vitest',
      'env -C packages/b node_modules/.bin/vitest --config x.ts',
    ])
    expect(recipe.files.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['node/package.json', 'node/packages/a/package.json', 'node/packages/b/package.json']),
    )
    expect(fileOf(recipe, 'packages')).toBe('.\npackages/a\npackages/b\n')
    expect(recipe.project.map(({ run }) => run)).toContain('npm run build')
  })

  it('run the suite of the root where its script is one', async () => {
    const files = {
      ...workspace,
      'package.json': json({ workspaces: ['packages/*'], scripts: { test: 'vitest run' } }),
    }
    expect((await firstOf(files)).suite).toEqual(['node_modules/.bin/vitest'])
  })

  it('read the members of a pnpm workspace', async () => {
    const yaml = '# x\npackages:\n  - \'packages/a\'\n\n  # more\n  - packages/**\n  - "!packages/b"\ncatalog:\n  - x\n'
    const recipe = await firstOf({
      ...workspace,
      'package.json': json({ scripts: { test: 'pnpm -r test' } }),
      'pnpm-workspace.yaml': yaml,
    })
    expect(fileOf(recipe, 'packages')).toBe('.\npackages/a\npackages/c\n')
  })

  const lernas: readonly [settings: string, folders: string[]][] = [
    ['{"packages":["packages/a","other/*"]}', ['packages/a', 'other/d']],
    ['{"version":"1.0.0"}', ['packages/a', 'packages/b', 'packages/c']],
    ['{', ['packages/a', 'packages/b', 'packages/c']],
  ]
  for (const [settings, folders] of lernas)
    it(`read the members that lerna names: ${settings}`, async () => {
      const recipe = await firstOf({
        ...workspace,
        'package.json': json({ scripts: { test: 'lerna run test' } }),
        'lerna.json': settings,
        'other/d/package.json': json({ scripts: { test: 'vitest' } }),
        'other/d/d.test.ts': '',
      })
      expect(new Set(fileOf(recipe, 'packages')?.trim().split('\n'))).toEqual(new Set(['.', ...folders]))
      expect(recipe.suite.map((line) => line.split(' ')[2]).sort()).toEqual([...folders].sort())
      expect(JSON.parse(fileOf(recipe, 'node/package.json')!)).toMatchObject({
        private: true,
        workspaces: expect.any(Array),
      })
      expect(recipe.manifests).toContain('lerna.json')
    })

  it('ask lerna for no members where the workspace names them', async () => {
    const recipe = await firstOf({ ...workspace, 'lerna.json': '{"packages":["other"]}' })
    expect(fileOf(recipe, 'packages')).toBe('.\npackages/a\npackages/b\n')
    expect(recipe.manifests).not.toContain('lerna.json')
  })

  it('are none without a manifest or without tests', async () => {
    expect(await recipesOf({ 'a.test.js': '' })).toEqual([])
    expect(await recipesOf({ 'package.json': '{}', 'a.test.js': '' })).toEqual([])
    expect(await recipesOf({ 'package.json': '{', 'a.test.js': '' })).toEqual([])
  })
})

describe('the version of Node', () => {
  const rows: readonly [pin: string | undefined, engines: unknown, major: number][] = [
    [undefined, undefined, 24],
    ['v20.11.1\n', '>=18', 20],
    ['lts/iron', undefined, 24],
    ['8', '>=8', 24],
    [undefined, '>=18', 24],
    [undefined, '^18.0.0 || ^20.0.0', 20],
    [undefined, '>=14 <19', 18],
    [undefined, '>=14.17.0 <=16', 16],
    [undefined, '14 - 16', 16],
    [undefined, '18.x', 18],
    [undefined, '*', 24],
    [undefined, '>=99', 24],
    [undefined, 'banana', 24],
  ]
  for (const [pin, engines, major] of rows)
    it(`is ${major} for the pin ${JSON.stringify(pin)} and the range ${JSON.stringify(engines)}`, () =>
      expect(nodeMajor([pin], engines)).toBe(major))
})
