import { encodeUtf8, type FileEntry } from '@r2e/spec'
import { describe, expect, it } from 'vitest'
import { bundleHash } from './bundle-hash.ts'
import { harborDatasetDigest, harborDigest } from './harbor-digest.ts'

const file = (path: string, text: string): FileEntry => ({ path, mode: '100644', content: encodeUtf8(text) })

const A = [
  file('task.toml', 'schema_version = "1.4"\n\n[task]\nname = "acme/my-task"\n'),
  file('instruction.md', 'Do it.\n'),
  file('environment/Dockerfile', 'FROM debian:bookworm-slim\nWORKDIR /app\n'),
  file('tests/test.sh', '#!/bin/bash\necho 1 > /logs/verifier/reward.txt\n'),
  file('solution/solve.sh', '#!/bin/bash\ntrue\n'),
]
const B = [
  ...A,
  file('README.md', '# R\n'),
  file('trajectory.json', '{}'),
  file('other.txt', 'x\n'),
  file('environment/.hidden', 'x\n'),
  file('tests/.harborignore', 'secret.txt\n'),
  file('tests/secret.txt', 's\n'),
  file('tests/__pycache__/a.pyc', 'x\n'),
  { ...file('tests/link', 'test.sh'), mode: '120000' as const },
  ...['a b.txt', 'B.txt', '\uFF5A.txt', '\u{1F600}.txt'].map((name) => file(`tests/${name}`, '')),
]

describe('harborDigest', () => {
  it("equals Harbor's own on both vectors", () => {
    expect(harborDigest(A)).toBe('sha256:f468475da617dcba907c012107928cb8a0ba34b8aa8769d7499b7cd8fbb9d7ef')
    expect(harborDigest(B)).toBe('sha256:050b4c8a7cbc740bc4688005298ee2ed0986fdf12e3642984250e4878e095a96')
  })

  it('does not depend on the order of the files', () => {
    expect(harborDigest([...B].reverse())).toBe(harborDigest(B))
  })

  it("equals Harbor's own for a dataset", () => {
    const digest = harborDatasetDigest([harborDigest(A)])
    expect(digest).toBe('sha256:f20fba4fd501dc1492eafd819c0a267287769532a0fec91433c93aaf97bfe381')
  })
})

describe('bundleHash', () => {
  it('covers every file, name, mode and byte [W22]', () => {
    const changes: FileEntry[][] = [
      [...A, file('other.txt', '')],
      A.map((entry, i) => (i === 3 ? { ...entry, mode: '100755' } : entry)),
      A.map((entry, i) => (i === 2 ? { ...entry, content: encodeUtf8('FROM x\n') } : entry)),
      A.slice(1),
    ]
    const hashes = [A, ...changes].map(bundleHash)
    expect(new Set(hashes).size).toBe(5)
    expect(bundleHash([...A].reverse())).toBe(hashes[0])
  })
})
