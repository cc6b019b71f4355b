import type { Recipe } from '@r2e/spec'
import { describe, expect, it } from 'vitest'
import { recipeInput } from '../__fixtures__/recipe-input.ts'
import { gradleRecipes } from './gradle-recipe.ts'
import { gradleRunner } from './gradle-runner.ts'

const wrapper = (version: string) =>
  `distributionUrl=https\\://services.example/distributions/gradle-${version}-bin.zip\n`

const repository = {
  'settings.gradle.kts': 'include(":core", ":web:app")',
  'build.gradle.kts': 'kotlin { jvmToolchain(17) }',
  'gradle.properties': '',
  'gradle/libs.versions.toml': '',
  'gradle/wrapper/gradle-wrapper.properties': wrapper('8.10.2'),
  'buildSrc/build.gradle.kts': '',
  'buildSrc/src/main/kotlin/conventions.gradle.kts': '',
  'core/build.gradle.kts': '',
  'core/src/main/kotlin/shop/Price.kt': '',
  'core/src/test/kotlin/shop/PriceTest.kt': '',
  'web/app/build.gradle.kts': '',
  'web/app/src/test/java/shop/WebTest.java': '',
  'core/src/test/resources/build.gradle': '',
}
const [recipe] = (await gradleRecipes(recipeInput(repository))) as [Recipe]

describe('the recipe of Gradle', () => {
  it('copies build scripts and their logic in their own layout, with a stub for each source set', () => {
    expect(recipe.files.map(({ path }) => path)).toEqual([
      'gradle/build.gradle.kts',
      'gradle/buildSrc/build.gradle.kts',
      'gradle/buildSrc/src/main/kotlin/conventions.gradle.kts',
      'gradle/core/build.gradle.kts',
      'gradle/gradle.properties',
      'gradle/gradle/libs.versions.toml',
      'gradle/settings.gradle.kts',
      'gradle/web/app/build.gradle.kts',
      'gradle/core/src/main/kotlin/r2e/KotlinStub.kt',
      'gradle/core/src/test/kotlin/r2e/KotlinStubTest.kt',
      'gradle/web/app/src/test/java/r2e/StubTest.java',
      'builds',
    ])
  })

  it('runs every project that has tests', () =>
    expect(recipe.suite).toEqual(['core/build/test-results/test', 'web/app/build/test-results/test']))

  const images: readonly [gradle: string, script: string, image: string][] = [
    ['8.10.2', 'kotlin { jvmToolchain(17) }', 'gradle:8.10.2-jdk17'],
    ['8.14', 'java { toolchain { languageVersion = JavaLanguageVersion.of(21) } }', 'gradle:8.14-jdk21'],
    ['8.14', 'java { toolchain { languageVersion.set(JavaLanguageVersion.of(11)) } }', 'gradle:8.14-jdk11'],
    ['7.6.4', 'sourceCompatibility = JavaVersion.VERSION_1_8', 'gradle:7.6.4-jdk8'],
    ['7.6.4', 'languageVersion = JavaLanguageVersion.of(21)', 'gradle:7.6.4-jdk17'],
    ['6.9', "sourceCompatibility = '17'", 'gradle:6.9-jdk11'],
    ['9.0.0', 'sourceCompatibility = 1.8', 'gradle:9.0.0-jdk17'],
    ['8.5', '', 'gradle:8.5-jdk17'],
  ]
  for (const [version, script, image] of images)
    it(`takes ${image} for ${script || 'nothing'} under Gradle ${version}`, async () => {
      const files = { 'build.gradle': script, 'gradle/wrapper/gradle-wrapper.properties': wrapper(version) }
      const [made] = await gradleRecipes(recipeInput({ ...files, 'src/test/java/ATest.java': '' }))
      expect(made!.baseImage).toBe(image)
    })

  it('is none without a build or without tests', async () => {
    expect(await gradleRecipes(recipeInput({ 'src/test/java/ATest.java': '' }))).toEqual([])
    expect(await gradleRecipes(recipeInput({ 'build.gradle': '', 'src/main/java/A.java': '' }))).toEqual([])
  })
})

describe('the Gradle command', () => {
  const flags = ['--no-daemon', '--console=plain', '--offline', '--no-build-cache', '--continue']
  const words = (argv: readonly string[]) => argv.filter((word) => !flags.includes(word))

  it('runs offline, past failures, compiled anew, with reports of each project [B1 B19 X1 X7]', () => {
    expect(gradleRunner.suite(recipe)).toEqual([
      {
        argv: ['gradle', ...flags, 'clean', 'test'],
        collect: [
          { glob: 'core/build/test-results/test/TEST-*.xml', scope: 'core' },
          { glob: 'web/app/build/test-results/test/TEST-*.xml', scope: 'web/app' },
        ],
      },
    ])
  })

  it('runs the tasks of touched files, their classes where these are sure', () => {
    const run = (...paths: string[]) => gradleRunner.files(recipe, paths).map(({ argv }) => words(argv))
    expect(run('web/app/src/test/java/shop/WebTest.java', 'core/src/test/kotlin/shop/PriceTest.kt')).toEqual([
      ['gradle', '-p', 'web/app', 'clean', 'test', '--tests', 'shop.WebTest'],
      ['gradle', '-p', 'core', 'clean', 'test'],
    ])
  })

  const selectors: Readonly<Record<string, readonly string[]>> = {
    'core::shop.PriceTest::passes': ['-p', 'core', 'clean', 'test', '--tests', 'shop.PriceTest.passes'],
    'core::shop.PriceTest$Inner::isOdd[0: 1 + 2]': [
      '-p',
      'core',
      'clean',
      'test',
      '--tests',
      'shop.PriceTest$Inner.isOdd*',
    ],
    'core::shop.PriceTest::adds two numbers': [
      '-p',
      'core',
      'clean',
      'test',
      '--tests',
      'shop.PriceTest.adds two numbers',
    ],
    'core::shop.PriceTest::[1] 1, 2': ['-p', 'core', 'clean', 'test', '--tests', 'shop.PriceTest'],
    'web/app::shop.WebTest': ['-p', 'web/app', 'clean', 'test', '--tests', 'shop.WebTest'],
    '.::shop.RootTest::passes': ['clean', ':test', '--tests', 'shop.RootTest.passes'],
  }
  for (const [id, want] of Object.entries(selectors))
    it(`selects ${id} [X4 X5]`, () => expect(words(gradleRunner.select(recipe, id).argv).slice(1)).toEqual(want))
})
