import { languagePacks } from '@r2e/languages'
import type { Recipe } from '@r2e/spec'
import { expect, it } from 'vitest'
import { RECIPE } from '../store/__fixtures__/stored.ts'
import { testCommands } from './test-commands.ts'

const commandsOf = (recipe: Partial<Recipe>) => testCommands(languagePacks, { ...RECIPE, ...recipe })

it('the test commands of an environment name nothing of the grader', () => {
  for (const { name, runners } of languagePacks)
    for (const runner of runners) {
      const commands = commandsOf({ language: name, runner: runner.name, suite: ['tests'] })
      expect([runner.name, commands.join(' ')]).toEqual([runner.name, expect.not.stringMatching(/\{\w+\}/)])
    }
})

it("are the user's own where there are any, as a shell takes them", () => {
  expect(commandsOf({ testCommand: ['bash', '-c', 'make "$@"', "it's"] })).toEqual([`bash -c 'make "$@"' 'it'\\''s'`])
  expect(commandsOf({ runner: 'unittest', suite: ['tests/test_a.py'] })).toEqual([
    expect.stringMatching(/ -m unittest tests\/test_a\.py$/),
  ])
  expect(commandsOf({ runner: 'nose' })).toEqual([])
})
