import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// Tests import the sources of every package (condition "@r2e/source"), so nothing has to be built first.
export default defineConfig({
  resolve: { conditions: ['@r2e/source'] },
  ssr: { resolve: { conditions: ['@r2e/source'], externalConditions: ['@r2e/source'] } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.ts', 'tests/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 180_000,
    pool: 'forks',
    // most files start programs of their own, which want a core as well
    maxWorkers: Math.max(2, Math.floor(availableParallelism() / 2)),
    reporters: ['default', './scripts/closing-line.mjs'],
  },
})
