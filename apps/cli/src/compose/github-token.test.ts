import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { githubToken } from './github-token.ts'

const folder = mkdtempSync(join(tmpdir(), 'r2e-gh-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
writeFileSync(join(folder, 'gh'), '#!/bin/sh\n[ "$1 $2" = "auth token" ] && echo from-gh\n')
chmodSync(join(folder, 'gh'), 0o755)

const auth = { github_token_env: 'MY_TOKEN', use_gh_cli: true, hf_token_env: 'HF_TOKEN', use_hf_cli: true }
const withGh = { PATH: `${folder}:/usr/bin:/bin` }

describe('githubToken', () => {
  it('takes the variable that auth names, then gh, then none', async () => {
    expect(await githubToken(auth, { ...withGh, MY_TOKEN: 'mine' })('github.com')).toBe('mine')
    expect(await githubToken(auth, withGh)('github.com')).toBe('from-gh')
    expect(await githubToken({ ...auth, use_gh_cli: false }, withGh)('github.com')).toBeUndefined()
    expect(await githubToken(auth, { PATH: join(folder, 'nothing') })('github.com')).toBeUndefined()
  })

  it('gives no other host the token', async () => {
    for (const host of ['gitlab.com', 'github.com.example', 'api.github.com'])
      expect(await githubToken(auth, { ...withGh, MY_TOKEN: 'mine' })(host)).toBeUndefined()
  })
})
