import type { LanguagePack } from '@r2e/spec'
import { weigh } from '../weight.ts'
import { gradleRecipes } from './gradle-recipe.ts'
import { gradleRunner } from './gradle-runner.ts'
import { mavenRecipes } from './maven-recipe.ts'
import { mavenRunner } from './maven-runner.ts'
import { jvmOwnsTest } from './owns-test.ts'
import { jvmRole } from './roles.ts'
import { jvmTestCases } from './test-cases.ts'

const buildFiles = ['pom.xml', 'build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts']
/** They change how tests are found and run, wherever they lie on the class path or beside the root pom. */
const runnerFiles = ['junit-platform.properties', 'maven.config', 'jvm.config']

/** Java, Kotlin and Groovy: they share builds, runners and reports. */
export const javaPack: LanguagePack = {
  contract: 'r2e.language/1',
  name: 'java',
  aliases: ['groovy', 'jvm', 'kotlin', 'kt'],
  detect: (paths) => weigh(paths, { files: /\.(java|kt|groovy)$/, manifests: buildFiles, locks: [] }),
  role: jvmRole,
  manifests: [
    ...buildFiles,
    'gradle.properties',
    'gradle-wrapper.properties',
    '*.versions.toml',
    'maven.config',
    'jvm.config',
    'extensions.xml',
    '.java-version',
    '.sdkmanrc',
    '.tool-versions',
  ],
  // Not build files: a solution may need to change them, and what it could do there it can do in any source file.
  runnerFiles,
  // Compiled tests too: classes whose source is gone or does not compile must not run.
  purge: {
    names: [...runnerFiles, 'test-classes', 'surefire-reports', 'failsafe-reports', 'test-results'],
    folders: [],
    skip: ['.git', 'node_modules'],
  },
  testCases: jvmTestCases,
  ownsTest: jvmOwnsTest,
  runners: [mavenRunner, gradleRunner],
  recipes: async (input) => [...(await mavenRecipes(input)), ...(await gradleRecipes(input))],
}
