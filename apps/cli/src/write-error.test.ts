import { userError } from '@r2e/spec'
import { expect, it } from 'vitest'
import { memoryOutput } from './__fixtures__/memory-output.ts'
import { asR2eError, writeError } from './write-error.ts'

it('shows code, message and fix, each problem on its own lines', () => {
  const output = memoryOutput()
  const problems = [{ code: 'wrong_type', message: 'b', fix: 'mend b' }]
  writeError(userError('unknown_key', 'a\u001b[1m\nnot a line', { fix: 'mend a', details: { problems } }), output)
  expect(output.text()).toBe(
    ['err| unknown_key: a\ufffd[1m not a line', 'err|   fix: mend a', 'err| wrong_type: b', 'err|   fix: mend b'].join(
      '\n',
    ),
  )
})

it('shows a trace, causes included, only with --verbose', () => {
  const error = asR2eError(new TypeError('inner'))
  const [brief, long] = [memoryOutput(), memoryOutput({ verbose: true })]
  writeError(error, brief)
  writeError(error, long)
  expect(brief.text()).toBe('err| internal_error: inner\nerr|   fix: run again with --verbose and report the trace')
  expect(long.text()).toContain('TypeError: inner\n    at ')
})

it('writes one object on standard output with --json', () => {
  const output = memoryOutput({ json: true })
  writeError(userError('bad', 'what', { fix: 'do', details: { a: 1 } }), output)
  const [line] = output.text().split('\n')
  expect(JSON.parse(line!.slice(5))).toEqual({
    code: 'bad',
    message: 'what',
    fault: 'user',
    fix: 'do',
    details: { a: 1 },
  })
})

it('takes a full disk for transient and a forbidden folder for the fault of the user', () => {
  const system = (code: string) => Object.assign(new Error(`${code}: x`), { code, path: '/x' })
  expect(asR2eError(system('ENOSPC'))).toMatchObject({ code: 'disk_full', fault: 'transient' })
  expect(asR2eError(system('EACCES'))).toMatchObject({ code: 'not_permitted', fault: 'user' })
  expect(asR2eError(system('ENOENT'))).toMatchObject({ code: 'internal_error', fault: 'bug' })
  expect(asR2eError('text')).toMatchObject({ code: 'internal_error', message: 'text' })
})
