import { defineConfig } from 'vitest/config'

// Tests import the sources of every package (condition "@r2e/source"), so nothing has to be built first.
export default defineConfig({
  resolve: { conditions: ['@r2e/source'] },
  ssr: { resolve: { conditions: ['@r2e/source'], externalConditions: ['@r2e/source'] } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.ts', 'tests/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    pool: 'forks',
    reporters: ['default', './scripts/closing-line.mjs'],
  },
})
