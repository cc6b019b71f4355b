import type { RunEvent, RunSummary } from '@r2e/spec'

export const sampleSummary: RunSummary = {
  run: '20260102-030405-abcd',
  pipeline: 'commit_runtime',
  repo: 'local/demo',
  stop: 'exhausted',
  candidates: 4,
  admitted: 1,
  skipped: { no_test_patch: 1, merge_commit: 1 },
  failed: { transient: 1, bug: 0 },
  tasks: ['local__demo-aaaaaaaaaaaa'],
  dataset: '/home/me/work/dataset',
  ledger: '/home/me/work/.r2e/runs/20260102-030405-abcd/ledger.jsonl',
  seconds: 75.4,
  efficiency: 0.87,
  details: {},
}

/** What a small resumed run tells. */
export const sampleRun: readonly RunEvent[] = [
  {
    type: 'run-start',
    run: '20260102-030405-abcd',
    pipeline: 'commit_runtime',
    repo: 'local/demo',
    head: '0123456789abcdef0123456789abcdef01234567',
    directory: '/home/me/work/dataset',
    resumed: true,
  },
  { type: 'candidate-found', id: '-aaaaaaaaaaaa', title: 'Fix the sum of nothing', index: 0 },
  { type: 'candidate-found', id: '-bbbbbbbbbbbb', title: 'Explain how to install', index: 1 },
  {
    type: 'candidate-end',
    id: '-bbbbbbbbbbbb',
    title: 'Explain how to install',
    end: { state: 'skipped', reason: 'no_test_patch', detail: '1 file, no test among them' },
    replayed: true,
  },
  { type: 'notice', level: 'warning', code: 'clock_skew', message: 'the clock went back by 3 s' },
  { type: 'candidate-found', id: '-cccccccccccc', title: 'Merge\u001b[31m main', index: 2 },
  { type: 'stage-start', id: '-aaaaaaaaaaaa', stage: 'observe', detail: 'solved 2 of 3' },
  {
    type: 'candidate-end',
    id: '-cccccccccccc',
    title: 'Merge\u001b[31m main',
    end: { state: 'skipped', reason: 'merge_commit', detail: '' },
    replayed: false,
  },
  { type: 'candidate-found', id: '-dddddddddddd', title: 'Fix rounding', index: 3 },
  { type: 'stage-end', id: '-aaaaaaaaaaaa', stage: 'observe', ms: 4100 },
  {
    type: 'task-written',
    taskId: 'local__demo-aaaaaaaaaaaa',
    directory: '/home/me/work/dataset/local__demo-aaaaaaaaaaaa',
    failToPass: 1,
    passToPass: 12,
  },
  {
    type: 'candidate-end',
    id: '-aaaaaaaaaaaa',
    title: 'Fix the sum of nothing',
    end: { state: 'admitted', taskId: 'local__demo-aaaaaaaaaaaa' },
    replayed: false,
  },
  {
    type: 'candidate-end',
    id: '-dddddddddddd',
    title: 'Fix rounding',
    end: { state: 'failed', fault: 'transient', code: 'registry_unreachable', detail: 'no route to host' },
    replayed: false,
  },
  { type: 'run-end', summary: sampleSummary },
]
