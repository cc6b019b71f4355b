#!/usr/bin/env node
import process from 'node:process'
import { readVersion } from './version.ts'

const words = process.argv.slice(2)
// Answered before anything else is loaded: this is the start-up floor of the program.
if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) process.stdout.write(`${readVersion()}\n`)
else {
  const { runCommand } = await import('./run-command.ts')
  await runCommand(words)
}
