import { spawn } from 'node:child_process'
import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SpendEntry } from '@r2e/spec'
import { describe, expect, it } from 'vitest'
import { testFolder } from '../__fixtures__/folder.ts'
import { openBudget } from './open-budget.ts'
import { openSpendLedger } from './spend-ledger.ts'

const worst = { inputTokens: 10, outputTokens: 5, nanoUsd: 20 }
const entries: SpendEntry[] = [
  { type: 'reserve', call: 1, worst, phase: 'judge', task: 't', model: 'a/b' },
  { type: 'settle', call: 1, spend: { inputTokens: 3, outputTokens: 2, nanoUsd: 4 } },
  { type: 'reserve', call: 2, worst: { inputTokens: 1, outputTokens: 1 }, phase: 'probe', model: 'a/b' },
  { type: 'settle', call: 2, spend: 'unknown' },
]

const ledgerPath = async (): Promise<string> => join(await testFolder(), 'below', 'spend.jsonl')

describe('the ledger', () => {
  it('gives back what was recorded, also in parallel', async () => {
    const path = await ledgerPath()
    {
      await using ledger = await openSpendLedger(path)
      await Promise.all(entries.map(ledger.record))
    }
    await using again = await openSpendLedger(path)
    expect(again.earlier).toEqual(entries)
  })

  it('cuts a last line without an end, and goes on behind the whole ones', async () => {
    const path = await ledgerPath()
    {
      await using ledger = await openSpendLedger(path)
      await ledger.record(entries[0]!)
    }
    await appendFile(path, '{"type":"settle","call":1,"spe')
    {
      await using ledger = await openSpendLedger(path)
      expect(ledger.earlier).toEqual([entries[0]])
      await ledger.record(entries[1]!)
    }
    await using again = await openSpendLedger(path)
    expect(again.earlier).toEqual(entries.slice(0, 2))
  })

  it('does not guess what a damaged line said', async () => {
    const path = await ledgerPath()
    await (await openSpendLedger(path))[Symbol.asyncDispose]()
    await appendFile(path, '{"type":"reserve","call":1}\n')
    await expect(openSpendLedger(path)).rejects.toMatchObject({ code: 'damaged_ledger', fault: 'user' })
  })

  it('keeps the worst case of a call whose process was killed, as spent [N4]', async () => {
    const path = await ledgerPath()
    const program = fileURLToPath(new URL('../__fixtures__/spender.ts', import.meta.url))
    const child = spawn(process.execPath, ['--conditions=@r2e/source', program, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    for await (const text of child.stdout) if (String(text).includes('called')) child.kill('SIGKILL')
    await using ledger = await openSpendLedger(path)
    const budget = openBudget({ limit: { nanoUsd: 1e9, tokens: 0 }, earlier: ledger.earlier, record: ledger.record })
    const spent = budget.spent({ task: 't' })
    expect(spent).toMatchObject({ calls: 1, unsettled: 1 })
    expect(spent.nanoUsd).toBeGreaterThan(100_000)
    expect(await readFile(path, 'utf8')).toMatch(/^\{"type":"reserve"[^\n]*\n$/)
  })
})
