// A vitest reporter that ends the output with one line for people and for CI: N passed, N failed, N skipped.
export default class ClosingLine {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 }
    for (const module of modules) {
      const before = counts.passed + counts.failed + counts.skipped
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state in counts) counts[state]++
      }
      const seen = counts.passed + counts.failed + counts.skipped - before
      if (!module.ok() && (seen === 0 || module.errors().length > 0)) counts.failed++
    }
    process.on('exit', () => {
      process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`)
    })
  }
}
