import { cleanInstruction, countWords, INSTRUCTION_LIMIT, type LeakFacts, leakScan, oneLine } from '@r2e/kit'
import type { FileChange, ModelReply } from '@r2e/spec'

const FORM = /^\s*\*\*([^*\n]{3,200})\*\*[ \t]*\n\s*#{1,6}[ \t]*Description:?[ \t]*\n([\s\S]+)$/i
const HEADING = /^\s*#{1,6}\s/m
const LINK = /\bhttps?:|\bwww\./i
const SENTENCE = /[.!?。！？](?=["')\]`*]*(?:\s|$))/g

export interface ReportInput {
  readonly facts: LeakFacts
  readonly source: readonly FileChange[]
}

/** What is wrong with a rewritten report, in words for whoever wrote it; undefined where nothing is. */
export function reportProblem({ text, end }: ModelReply, { facts, source }: ReportInput): string | undefined {
  if (end !== 'stop') return 'The report was not finished: it has to be shorter.'
  const [, title = '', body = ''] = FORM.exec(text) ?? []
  if (title === '' || HEADING.test(body)) return 'The report has not the form that was asked for.'
  if (text.length > INSTRUCTION_LIMIT) return `The report is longer than ${INSTRUCTION_LIMIT} characters.`
  if (countWords(`${title} ${body}`) < 10) return 'The report has fewer than ten words.'
  const sentences = body.match(SENTENCE)?.length ?? 0
  if (sentences < 2 || sentences > 6) return `The description has ${sentences} sentences; two to six are wanted.`
  const told = [...leakScan(text, facts).map(({ match }) => match), ...namesIn(text, facts, source)]
  if (told.length > 0) return `The report must not say ${[...new Set(told)].slice(0, 10).map(quoted).join(', ')}.`
  if (LINK.test(text) || cleanInstruction(title) !== title.trim() || cleanInstruction(body) !== tidy(body))
    return 'The report holds links, ids, numbers of requests, trailers or markup.'
  return undefined
}

/** One form for all reports. Call it where there is no {@link reportProblem}. */
export function wellFormedReport(text: string): string {
  const [, title = '', body = ''] = FORM.exec(text) ?? []
  return `**${oneLine(title)}**\n\n## Description\n\n${cleanInstruction(body)}`
}

/** Names that only the solution has, and files that it changes. */
function namesIn(text: string, { goldNames }: LeakFacts, source: readonly FileChange[]): string[] {
  const files = source.flatMap(({ path }) => [path, path.split('/').at(-1)!]).filter((name) => name.includes('.'))
  const names = goldNames.filter((name) => new RegExp(`(?<!\\w)${name}(?!\\w)`).test(text))
  return [...files.filter((name) => text.includes(name)), ...names]
}

const quoted = (words: string): string => JSON.stringify(words.slice(0, 120))
const tidy = (body: string): string =>
  body
    .replace(/\r\n?/g, '\n')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
