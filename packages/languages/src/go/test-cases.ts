import type { TestCase } from '@r2e/spec'
import { type GoDeclaration, goDeclarations } from './declarations.ts'

/** Test, Fuzz and Example functions as the go command finds them: the next letter is not lower case. */
const testFunction = /^(Test|Fuzz|Example)(?![\p{Ll}])/u
/** Methods that testify runs as subtests of the suite's Test function. */
const suiteMethod = /^Test\p{Lu}?/u

/** Test functions and suite methods; the text holds the file's variables that the body names: a table is part of the case. */
export function goTestCases(source: string): readonly TestCase[] {
  const declarations = goDeclarations(source)
  const variables = declarations.filter(({ kind }) => kind === 'var')
  return declarations.filter(isTest).map(({ name, text }) => {
    const named = new Set(text.match(/[^\W\d]\w*/gu))
    const used = new Set(variables.filter((variable) => named.has(variable.name)).map((variable) => variable.text))
    return { name, text: [text, ...used].join('\n') }
  })
}

function isTest({ kind, name }: GoDeclaration): boolean {
  return kind === 'function'
    ? testFunction.test(name) && name !== 'TestMain'
    : kind === 'method' && suiteMethod.test(name)
}
