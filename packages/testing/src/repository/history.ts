import { type ImportCommit, renderCommit, type StoredFile, storeFile, toBytes } from './fast-import.ts'
import type {
  BranchStep,
  CommitDetails,
  CommitStep,
  MergeStep,
  RepositoryStep,
  TreeChanges,
} from './repository-step.ts'

/** What the steps amount to: a stream for `git fast-import`, which prints the commits' ids, and the refs to set then. */
export interface History {
  readonly stream: Uint8Array
  readonly commitCount: number
  readonly refs: readonly PlannedRef[]
  readonly branch: string
}

export interface PlannedRef {
  readonly name: string
  readonly mark: number
  readonly annotation?: { readonly text: string; readonly unixTime: number }
}

type FileTree = ReadonlyMap<string, StoredFile>

interface PlannedCommit {
  readonly parents: readonly number[]
  readonly tree: FileTree
}

interface State {
  readonly commits: PlannedCommit[]
  readonly branches: Map<string, number>
  readonly refs: PlannedRef[]
  readonly stream: Uint8Array[]
  branch: string
  unixTime: number
}

export const IMPORT_REF = 'refs/import/tip'
const DEFAULT_AUTHOR = { name: 'Ada Example', email: 'ada@example.com' }
const START = Date.parse('2024-01-01T00:00:00Z') / 1000
const HOUR = 3600

export function planHistory(steps: readonly RepositoryStep[]): History {
  const state: State = {
    commits: [],
    branches: new Map(),
    refs: [],
    stream: [],
    branch: 'main',
    unixTime: START - HOUR,
  }
  for (const step of steps) applyStep(state, step)
  const printMarks = state.commits.map((_, index) => `get-mark :${index + 1}\n`).join('')
  const heads = [...state.branches].map(([name, mark]) => ({ name: `refs/heads/${name}`, mark }))
  return {
    stream: Buffer.concat([...state.stream, Buffer.from(printMarks)]),
    commitCount: state.commits.length,
    refs: [...heads, ...state.refs],
    branch: state.branch,
  }
}

function applyStep(state: State, step: RepositoryStep): void {
  if ('commit' in step) addCommit(state, step)
  else if ('merge' in step) addMerge(state, step)
  else if ('branch' in step) switchBranch(state, step)
  else if ('ref' in step) state.refs.push({ name: step.ref, mark: markOf(state, step.at) })
  else {
    const ref = { name: `refs/tags/${step.tag}`, mark: markOf(state, step.at) }
    if (step.annotation === undefined) state.refs.push(ref)
    else state.refs.push({ ...ref, annotation: { text: step.annotation, unixTime: nextTime(state, undefined) } })
  }
}

function addCommit(state: State, step: CommitStep): void {
  const parent = state.branches.get(state.branch)
  const parents = parent === undefined ? [] : [parent]
  record(state, { parents, message: toBytes(step.commit), step, theirs: new Map() })
}

function addMerge(state: State, step: MergeStep): void {
  const ours = markOf(state, undefined)
  const theirs = markOf(state, step.merge)
  const base = mergeBase(state, ours, theirs)
  const changes = treeDifference(treeOf(state, base), treeOf(state, theirs))
  record(state, { parents: [ours, theirs], message: toBytes(step.message), step, theirs: changes })
}

interface Recorded {
  readonly parents: readonly number[]
  readonly message: Uint8Array
  readonly step: TreeChanges & CommitDetails
  readonly theirs: ReadonlyMap<string, StoredFile | undefined>
}

function record(state: State, { parents, message, step, theirs }: Recorded): void {
  const before = treeOf(state, parents[0])
  const tree = new Map(before)
  for (const [path, file] of theirs) put(tree, path, file)
  for (const [from, to] of Object.entries(step.rename ?? {})) {
    put(tree, to, tree.get(from))
    tree.delete(from)
  }
  for (const path of step.delete ?? []) tree.delete(path)
  for (const [path, file] of Object.entries(step.files ?? {})) tree.set(path, storeFile(file))
  state.commits.push({ parents, tree })
  const mark = state.commits.length
  state.branches.set(state.branch, mark)
  const commit: ImportCommit = {
    mark,
    parents,
    message,
    author: step.author ?? DEFAULT_AUTHOR,
    unixTime: nextTime(state, step.date),
    changes: treeDifference(before, tree),
  }
  state.stream.push(renderCommit(commit, IMPORT_REF))
}

function switchBranch(state: State, step: BranchStep): void {
  if (!state.branches.has(step.branch) && step.orphan !== true) state.branches.set(step.branch, markOf(state, step.at))
  state.branch = step.branch
}

function nextTime(state: State, date: string | undefined): number {
  state.unixTime = date === undefined ? state.unixTime + HOUR : Math.floor(Date.parse(date) / 1000)
  return state.unixTime
}

/** Marks count from 1, the indexes of the caller from 0. */
function markOf(state: State, at: string | number | undefined): number {
  const mark = typeof at === 'number' ? at + 1 : state.branches.get(at ?? state.branch)
  if (mark === undefined || mark > state.commits.length)
    throw new Error(`no such branch or commit: ${at ?? state.branch}`)
  return mark
}

function treeOf(state: State, mark: number | undefined): FileTree {
  return mark === undefined ? new Map() : state.commits[mark - 1]!.tree
}

function mergeBase(state: State, ours: number, theirs: number): number | undefined {
  const reachable = new Set<number>()
  const queue = [ours]
  for (let mark = queue.pop(); mark !== undefined; mark = queue.pop()) {
    if (!reachable.has(mark)) queue.push(...state.commits[mark - 1]!.parents)
    reachable.add(mark)
  }
  let mark: number | undefined = theirs
  while (mark !== undefined && !reachable.has(mark)) mark = state.commits[mark - 1]!.parents[0]
  return mark
}

function treeDifference(from: FileTree, to: FileTree): Map<string, StoredFile | undefined> {
  const changes = new Map<string, StoredFile | undefined>()
  for (const path of from.keys()) if (!to.has(path)) changes.set(path, undefined)
  for (const [path, file] of to) if (from.get(path) !== file) changes.set(path, file)
  return changes
}

function put(tree: Map<string, StoredFile>, path: string, file: StoredFile | undefined): void {
  if (file === undefined) tree.delete(path)
  else tree.set(path, file)
}
