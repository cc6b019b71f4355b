import { sha256Hex } from '@r2e/spec'

/** Constants, functions and classes that stand directly in one block. */
export interface Scope {
  readonly parent: Scope | undefined
  readonly declared: Map<string, Declaration>
}

interface Declaration {
  readonly text: string
  readonly scope: Scope
  /** What it names itself. */
  readonly needs: () => readonly Declaration[]
}

/** No test needs more. */
const most = 200

const declaration =
  /^(?:export )?(?:default )?(?:async )?(?:const|let|var|function|class)(?: |\*)(?!.{1,200}?=(?:await import|require)\()([\w$]+)/

/** Notes what a statement declares, if anything; a module that is loaded is none. */
export function declare(scope: Scope, text: string): boolean {
  const name = declaration.exec(text)?.[1]
  if (name === undefined) return false
  let needs: readonly Declaration[] | undefined
  const found = { text: short(text), scope, needs: () => (needs ??= direct(text, scope)) }
  scope.declared.set(name, found)
  return true
}

/** The declarations that a text names, and those that these name. */
export function named(text: string, scope: Scope): string[] {
  const found = new Set(direct(text, scope))
  for (const item of found) for (const need of item.needs()) if (found.size < most) found.add(need)
  return [...found].map((item) => item.text)
}

function direct(text: string, scope: Scope): readonly Declaration[] {
  const words = new Set(text.match(/[\w$]+/g))
  const found: Declaration[] = []
  for (const word of words) {
    const item = lookUp(word, scope)
    if (item && found.push(item) === most) break
  }
  return found
}

function lookUp(name: string, scope: Scope): Declaration | undefined {
  for (let at: Scope | undefined = scope; at; at = at.parent) {
    const found = at.declared.get(name)
    if (found) return found
  }
  return undefined
}

/** Stands for a long text, so that a table is not held once for each case that reads it. */
export function short(text: string): string {
  return text.length > 100 ? sha256Hex(text) : text
}
