// Reserves in the ledger that is named, says so, and waits to be killed.
import { openBudget, openSpendLedger, parsePrice, withBudget } from '@r2e/model'
import { fakeModel } from '@r2e/testing'

const ledger = await openSpendLedger(process.argv[2]!)
const budget = openBudget({ limit: { nanoUsd: 1e9, tokens: 0 }, earlier: ledger.earlier, record: ledger.record })
const inner = fakeModel({
  answer: () => {
    process.stdout.write('called\n')
    return new Promise(() => setInterval(() => {}, 1000))
  },
})
const call = { phase: 'synthesis', task: 't', signal: new AbortController().signal } as const
await withBudget({ budget, price: parsePrice('1,1') })(inner).complete(
  { messages: [{ role: 'user', text: 'a' }], maxOutputTokens: 50 },
  call,
)
