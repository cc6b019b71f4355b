import type { Recipe } from '@r2e/spec'
import { describe, expect, it } from 'vitest'
import { recipeInput } from '../__fixtures__/recipe-input.ts'
import { mavenArguments } from './maven-arguments.ts'
import { mavenRecipes } from './maven-recipe.ts'
import { mavenRunner } from './maven-runner.ts'

const pom = (body = '') => `<?xml version="1.0"?><project>${body}</project>`
const modules = (...names: string[]) => `<modules>${names.map((name) => `<module>${name}</module>`).join('')}</modules>`
const parent = '<parent><relativePath>../build</relativePath></parent>'

const repository = {
  'pom.xml': pom(
    `${modules('core', 'web/app', 'docs', '../outside')}<!-- <module>old</module> -->
     <properties><maven.compiler.release>17</maven.compiler.release><java.version>1.8</java.version></properties>
     <profiles>
       <profile><activation><activeByDefault>true</activeByDefault></activation>${modules('extra')}</profile>
       <profile><id>release</id><activation><file><exists>\${basedir}/build/marker.txt</exists></file></activation>${modules('release')}</profile>
     </profiles>
     <build><plugins><plugin><artifactId>maven-failsafe-plugin</artifactId></plugin></plugins></build>`,
  ),
  '.mvn/maven.config': '-Pfast',
  'build/pom.xml': pom(),
  'core/pom.xml': pom(parent),
  'core/src/main/java/shop/Price.java': '',
  'core/src/test/java/shop/PriceTest.java': '',
  'core/src/test/java/shop/ShopIT.java': '',
  'core/src/test/kotlin/shop/CartTest.kt': '',
  'web/app/pom.xml': pom(),
  'web/app/src/test/java/shop/WebTests.java': '',
  'docs/pom.xml': pom(),
  'docs/src/test/java/shop/GuideTest.java': '',
  'extra/pom.xml': pom('<build><testSourceDirectory>${basedir}/checks</testSourceDirectory></build>'),
  'extra/checks/shop/TestExtra.java': '',
  'release/pom.xml': pom(),
  'release/src/test/java/shop/ReleaseTest.java': '',
  'src/test/java/shop/RootTest.java': '',
  'src/site/resources/profile.jacoco': 'x',
  'build/marker.txt': 'x',
}
const [recipe] = (await mavenRecipes(recipeInput(repository))) as [Recipe]

describe('the recipe of Maven', () => {
  it('copies poms in their own layout, with a stub for each source set', () => {
    expect(recipe.files.map(({ path }) => path)).toEqual([
      'maven/.mvn/maven.config',
      'maven/build/pom.xml',
      'maven/core/pom.xml',
      'maven/docs/pom.xml',
      'maven/extra/pom.xml',
      'maven/pom.xml',
      'maven/web/app/pom.xml',
      'maven/src/test/java/r2e/StubTest.java',
      'maven/core/src/main/java/r2e/Stub.java',
      'maven/core/src/test/java/r2e/StubTest.java',
      'maven/core/src/test/kotlin/r2e/KotlinStubTest.kt',
      'maven/web/app/src/test/java/r2e/StubTest.java',
      'maven/docs/src/test/java/r2e/StubTest.java',
      'maven/extra/checks/r2e/StubTest.java',
      'maven/build/marker.txt',
      'maven/src/site/resources/profile.jacoco',
      'reactors',
    ])
    expect(recipe.manifests).toContain('build/pom.xml')
  })

  it('runs every module that has tests, integration tests where failsafe is used', () => {
    expect(recipe.suite).toEqual([
      'core/target/failsafe-reports',
      'core/target/surefire-reports',
      'extra/target/surefire-reports',
      'target/surefire-reports',
      'web/app/target/surefire-reports',
    ])
  })

  const versions: readonly [what: string, files: Readonly<Record<string, string>>, images: readonly string[]][] = [
    [
      'a property',
      { 'pom.xml': pom('<properties><maven.compiler.target>11</maven.compiler.target></properties>') },
      ['11', '17', '21'],
    ],
    [
      'an old property',
      { 'pom.xml': pom('<properties><java.version>1.7</java.version></properties>') },
      ['8', '17', '21'],
    ],
    [
      'the compiler',
      {
        'pom.xml': pom(
          '<build><plugins><plugin><artifactId>maven-compiler-plugin</artifactId><configuration><source>1.8</source></configuration></plugin></plugins></build>',
        ),
      },
      ['8', '17', '21'],
    ],
    [
      'a version between images',
      { 'pom.xml': pom('<properties><maven.compiler.release>22</maven.compiler.release></properties>') },
      ['25'],
    ],
    ['a version file', { 'pom.xml': pom(), '.java-version': '21.0.2\n' }, ['21']],
    ['SDKMAN', { 'pom.xml': pom(), '.sdkmanrc': '# x\njava=11.0.20-tem\n' }, ['11', '17', '21']],
    ['asdf', { 'pom.xml': pom(), '.tool-versions': 'maven 3.9\njava temurin-25.0.1\n' }, ['25']],
    ['nothing', { 'pom.xml': pom('<properties><java.version>${x}</java.version></properties>') }, ['17', '21']],
  ]
  for (const [what, files, images] of versions)
    it(`takes Java from ${what}`, async () => {
      const recipes = await mavenRecipes(recipeInput({ ...files, 'src/test/java/ATest.java': '' }))
      expect(recipes.map(({ baseImage }) => baseImage)).toEqual(
        images.map((image) => `maven:3.9-eclipse-temurin-${image}`),
      )
    })

  it('is one where the image is given', async () => {
    const input = recipeInput(repository)
    expect(await mavenRecipes({ ...input, options: { setup: [], baseImage: 'x' } })).toHaveLength(1)
  })

  it('names what it inferred, and the nearest image where there is none of the version', async () => {
    const files = {
      'pom.xml': pom('<properties><java.version>19</java.version></properties>'),
      'src/test/java/ATest.java': '',
    }
    const [first] = await mavenRecipes(recipeInput(files))
    expect(first!.origin).toContainEqual({ fact: 'Java 19, nearest image 21', file: 'pom.xml' })
  })

  it('starts builds where poms begin, and is none without tests', async () => {
    const [below] = await mavenRecipes(
      recipeInput({ 'java/pom.xml': pom(), 'java/src/test/java/ATest.java': '', 'tool/pom.xml': pom() }),
    )
    expect(below!.files.find(({ path }) => path === 'reactors')?.text).toBe('java\n')
    expect(mavenRunner.suite(below!)[0]!.argv.slice(0, 5)).toEqual(['mvn', 'clean', 'test', '-f', 'java/pom.xml'])
    expect(await mavenRecipes(recipeInput({ 'pom.xml': pom(), 'src/main/java/A.java': '' }))).toEqual([])
    expect(await mavenRecipes(recipeInput({ 'pom.xml': '<project', 'src/test/java/ATest.java': '' }))).toHaveLength(2)
  })

  it('holds no text of the repository in a step', async () => {
    const [odd] = await mavenRecipes(recipeInput({ 'a $(x)/pom.xml': pom(), 'a $(x)/src/test/java/ATest.java': '' }))
    expect(odd!.dependencies[0]!.run).not.toContain('$(x)')
  })
})

describe('the Maven command', () => {
  const words = (argv: readonly string[]) => argv.filter((word) => !mavenArguments.includes(word))

  it('runs the build offline, past failures, compiled anew, with reports of each module [B1 B19 X1 X7]', () => {
    const [command, ...more] = mavenRunner.suite(recipe)
    expect(more).toEqual([])
    expect(words(command!.argv)).toEqual(['mvn', 'clean', 'test', 'failsafe:integration-test', '-o', '-fae'])
    expect(command!.argv).toContain('-Dmaven.test.failure.ignore=true')
    expect(command!.collect).toContainEqual({ glob: 'core/target/surefire-reports/TEST-*.xml', scope: 'core' })
    expect(command!.collect).toContainEqual({ glob: 'target/surefire-reports/TEST-*.xml', scope: '.' })
  })

  it('collects from modules where only hidden tests are, and not from others', () => {
    const [command] = mavenRunner.suite(recipe, [
      'docs/src/test/java/shop/NewTest.java',
      'web/app/src/test/java/B.java',
    ])
    expect(command!.collect!.map(({ scope }) => scope)).toContain('docs')
    expect(command!.collect).toHaveLength(6)
  })

  it('is replaced by the one of the user', () => {
    const own = { ...recipe, testCommand: ['./mvnw', '-Pit', 'verify'] }
    expect(words(mavenRunner.suite(own)[0]!.argv)).toEqual(['./mvnw', '-Pit', 'verify', '-o', '-fae'])
  })

  const lenient = ['-Dsurefire.failIfNoSpecifiedTests=false', '-Dfailsafe.failIfNoSpecifiedTests=false']
  const filter = (text: string) => [`-Dtest=${text}`, `-Dit.test=${text}`, ...lenient]

  it('runs the classes of touched files, and whole modules where a file may hold another class', () => {
    const run = (...paths: string[]) => words(mavenRunner.files(recipe, paths)[0]!.argv.slice(3)).slice(2)
    const price = 'core/src/test/java/shop/PriceTest.java'
    expect(run(price, 'web/app/src/test/java/shop/WebTests.java')).toEqual([
      '-pl',
      'core,web/app',
      '-am',
      ...filter('shop.PriceTest,shop.PriceTest$*,shop.WebTests,shop.WebTests$*'),
    ])
    expect(run(price, 'core/src/test/kotlin/shop/CartTest.kt')).toEqual(['-pl', 'core', '-am'])
    expect(run('core/src/test/resources/a.json')).toEqual(['-pl', 'core', '-am'])
  })

  const selectors: Readonly<Record<string, readonly string[]>> = {
    'core::shop.PriceTest::passes': ['-pl', 'core', '-am', ...filter('shop.PriceTest#passes')],
    'core::shop.PriceTest$Inner$Deep::fails': ['-pl', 'core', '-am', ...filter('shop.PriceTest$Inner$Deep#fails')],
    'core::shop.PriceTest::adds[2]': ['-pl', 'core', '-am', ...filter('shop.PriceTest#adds*')],
    'core::shop.SumTest::isOdd[1: 2 + 2]': ['-pl', 'core', '-am', ...filter('shop.SumTest#isOdd*')],
    'core::shop.PriceTest::adds[1] #2': ['-pl', 'core', '-am', ...filter('shop.PriceTest#adds*')],
    'core::shop.NamesTest::adds two numbers': ['-pl', 'core', '-am', ...filter('shop.NamesTest,shop.NamesTest$*')],
    'web/app::shop.WebTests': ['-pl', 'web/app', '-am', ...filter('shop.WebTests,shop.WebTests$*')],
    '.::shop.RootTest::passes': filter('shop.RootTest#passes'),
    core: ['-pl', 'core', '-am'],
  }
  for (const [id, want] of Object.entries(selectors))
    it(`selects ${id} [X4 X5]`, () =>
      expect(words(mavenRunner.select({ ...recipe, testCommand: [] }, id).argv).slice(2)).toEqual(want))
})
