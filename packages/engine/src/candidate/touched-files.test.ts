import { type Edit, encodeUtf8 } from '@r2e/spec'
import { describe, expect, it } from 'vitest'
import { touchedFiles } from './touched-files.ts'

const pack = {
  role: (path: string) => (/test_/.test(path) ? ('test' as const) : undefined),
  detect: (paths: readonly string[]) => (paths.some((path) => path.endsWith('.py')) ? 1 : 0),
  testCases: (_path: string, source: string) =>
    [...source.matchAll(/def (test\w*)/g)].map((match) => ({ name: match[1]!, text: '' })),
}
const write = (path: string, text = 'def test_a(): pass'): Edit => ({
  kind: 'write',
  path,
  mode: '100644',
  content: encodeUtf8(text),
})

describe('touchedFiles', () => {
  it('takes hidden files with cases and the tests beside them, twenty at most', () => {
    const many = Array.from({ length: 30 }, (_, i) => `t/test_${String(i).padStart(2, '0')}.py`)
    const hidden = [write('t/test_new.py'), write('t/test_data.py', 'x = 1')]
    const files = touchedFiles({ pack, standing: ['a.py', 't/test_x.txt', 'u/test_far.py', ...many], hidden })
    expect(files).toEqual([...many.slice(0, 20), 't/test_new.py'])
  })

  it('names no file that the change removes or moves away', () => {
    const hidden: Edit[] = [{ kind: 'delete', path: 't/test_old.py' }, write('t/test_new.py')]
    const files = touchedFiles({ pack, standing: ['t/test_old.py', 't/test_other.py'], hidden })
    expect(files).toEqual(['t/test_new.py', 't/test_other.py'])
  })

  it('takes the nearest tests where none stand beside a new one', () => {
    const near = Array.from({ length: 20 }, (_, i) => `t/web/test_${i}.py`)
    const files = touchedFiles({ pack, standing: ['a/test_far.py', ...near], hidden: [write('t/web/new/test_b.py')] })
    expect(files).toEqual([...near, 't/web/new/test_b.py'].sort())
  })
})
