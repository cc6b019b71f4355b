// Reporter of vitest, one JSON line per event (format events-jsonl): vitest run --reporter=FILE --outputFile=REPORT
import { createRequire } from 'node:module'

const { numbered, openEvents, scopeOf, testId } = createRequire(import.meta.url)('./events.cjs')

/** Versions from 3 on report each module at its end; older ones all at the end of the run. */
export default class EventReporter {
  reported = new Set()

  onInit({ config }) {
    this.write = openEvents(config.outputFile)
  }

  onTestRunStart(specifications) {
    for (const { moduleId, project } of specifications)
      this.write({ event: 'module', scope: scopeOf(moduleId, project.name) })
  }

  onTestModuleEnd(module) {
    this.report(fileOf(module))
  }

  onTestRunEnd(modules) {
    this.finish(modules.map(fileOf))
  }

  onFinished(files) {
    this.finish(files ?? [])
  }

  finish(files) {
    if (this.finished) return
    this.finished = true
    for (const file of files) this.report(file)
    this.write({ event: 'done' })
  }

  report(file) {
    const scope = scopeOf(file.filepath, file.projectName ?? '')
    if (this.reported.has(scope)) return
    this.reported.add(scope)
    const unique = numbered()
    let broken = !file.result || file.result.state === 'queued' || hasErrors(file)
    const walk = (task, titles, ran) => {
      const path = [...titles, task.name]
      if (task.type === 'suite') {
        broken ||= hasErrors(task)
        for (const child of task.tasks) walk(child, path, ran && !failedBefore(task))
        return
      }
      const own = unique(testId(scope, path))
      const status = ran ? statusOf(task) : undefined
      if (status) this.write({ event: 'end', ...own, status })
      else broken = true
    }
    for (const task of file.tasks) walk(task, [], !failedBefore(file))
    if (broken) this.write({ event: 'unloaded', scope })
  }
}

/** A module of the newer interface holds the file task of the older one. */
function fileOf(module) {
  return module.task ?? module
}

function hasErrors({ result }) {
  return (result?.errors?.length ?? 0) > 0
}

/** Whether a hook failed before any test of a suite ran: vitest then calls its tests skipped. */
function failedBefore(suite) {
  return hasErrors(suite) && testsOf(suite).every(({ result }) => result === undefined || result.state === 'skip')
}

function testsOf(suite) {
  return suite.tasks.flatMap((task) => (task.type === 'suite' ? testsOf(task) : [task]))
}

/** Nothing where a test has not run. A retry counts by its first attempt. */
function statusOf({ mode, fails, result }) {
  if (mode === 'skip' || mode === 'todo' || result?.state === 'skip' || result?.state === 'todo') return 'SKIPPED'
  if (result?.state === 'fail' || (result?.state === 'pass' && result.retryCount > 0)) return 'FAILED'
  return result?.state === 'pass' ? (fails ? 'XFAIL' : 'PASSED') : undefined
}
