import type { LanguagePack } from '@r2e/spec'
import { weigh } from '../weight.ts'
import { csharpOwnsTest } from './owns-test.ts'
import { csharpRecipes } from './recipe.ts'
import { csharpRole } from './roles.ts'
import { dotnetRunner } from './runner.ts'
import { csharpTestCases } from './test-cases.ts'

export const csharpPack: LanguagePack = {
  contract: 'r2e.language/1',
  name: 'csharp',
  aliases: ['c#', 'cs', 'dotnet'],
  detect: (paths) => weigh(paths, { files: /\.cs$/, manifests: ['global.json', 'Directory.Build.props'], locks: [] }),
  role: csharpRole,
  manifests: [
    '*.csproj',
    '*.fsproj',
    '*.sln',
    '*.slnx',
    'Directory.Build.props',
    'Directory.Build.targets',
    'Directory.Packages.props',
    'global.json',
    'nuget.config',
    'NuGet.config',
    'packages.lock.json',
  ],
  // Not project files: a solution may need to change them, and what it could do there it can do in any source file.
  runnerFiles: ['xunit.runner.json'],
  purge: { names: ['xunit.runner.json', '*.runsettings', 'TestResults'], folders: [], skip: ['.git', 'node_modules'] },
  testCases: (path, source) => (path.endsWith('.cs') ? csharpTestCases(source) : []),
  ownsTest: csharpOwnsTest,
  runners: [dotnetRunner],
  recipes: csharpRecipes,
}
