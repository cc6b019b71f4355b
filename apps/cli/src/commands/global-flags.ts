import type { Flag } from './command.ts'

/** Accepted before and after every command. */
export const GLOBAL_FLAGS: readonly Flag[] = [
  { flags: '-v, --verbose', text: 'more detail, and a stack trace with an error' },
  { flags: '-q, --quiet', text: 'no progress: warnings and the result only' },
  { flags: '--json', text: 'one JSON value or JSON lines on standard output, all prose on standard error' },
  { flags: '--no-ui', text: 'plain lines instead of the live view' },
  { flags: '--no-color', text: 'no colours' },
  { flags: '-V, --version', text: 'print the version' },
]
