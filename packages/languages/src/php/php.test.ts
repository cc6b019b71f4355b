import type { Recipe } from '@r2e/spec'
import { describe, expect, it } from 'vitest'
import { recipeInput } from '../__fixtures__/recipe-input.ts'
import { phpVersion } from './composer.ts'
import { phpPack } from './index.ts'
import { phpunitRunner } from './phpunit-runner.ts'
import { phpRecipes } from './recipe.ts'
import { phpRole } from './roles.ts'
import { phpTestCases } from './test-cases.ts'

const composer = {
  require: { php: '^8.1 || ^9.0', 'ext-intl': '*', 'ext-mbstring': '*', 'psr/log': '^3' },
  'require-dev': { 'phpunit/phpunit': '^10' },
  autoload: { 'psr-4': { 'Acme\\': 'src/' } },
}
const repository = {
  'composer.json': JSON.stringify(composer),
  'composer.lock': '{"packages-dev": [{"name": "phpunit/phpunit"}]}',
  'phpunit.xml.dist': `<phpunit><testsuites><!-- <file>no.php</file> --><testsuite name="a">
    <directory suffix="Test.php">./tests</directory><file>extra/odd.php</file><exclude>tests/slow</exclude>
    <directory>modules/*/Tests/</directory></testsuite></testsuites></phpunit>`,
  'src/A.php': '<?php',
  'tests/ATest.php': '<?php',
  'tests/Helper.php': '<?php',
  'tests/slow/BTest.php': '<?php',
  'extra/odd.php': '<?php',
  'modules/x/Tests/CTest.php': '<?php',
  'other/DTest.php': '<?php',
}
const recipes = await phpRecipes(recipeInput(repository))

describe('the recipes of PHP', () => {
  it('are the lock, the declarations, and Debian with an autoloader of ours', () => {
    expect(
      recipes.map(({ baseImage, system, files }) => ({ baseImage, system, files: files.map(({ path }) => path) })),
    ).toEqual([
      {
        baseImage: 'php:8.4-cli',
        system: ['git', 'unzip', 'libicu-dev'],
        files: ['composer/composer.json', 'composer/composer.lock', 'extensions'],
      },
      {
        baseImage: 'php:8.4-cli',
        system: ['git', 'unzip', 'libicu-dev'],
        files: ['composer/composer.json', 'extensions'],
      },
      {
        baseImage: 'debian:trixie',
        system: ['php-cli', 'php-intl', 'php-mbstring', 'php-psr-log', 'php-xml', 'phpunit'],
        files: ['autoload.php'],
      },
    ])
  })

  it('run the files that the configuration names, else all test files that are no fixtures', async () => {
    expect(recipes[0]!.suite).toEqual(['extra/odd.php', 'modules/x/Tests/CTest.php', 'tests/ATest.php'])
    const plain = {
      'tests/ATest.php': '',
      'tests/fixtures/BTest.php': '',
      'vendor/x/CTest.php': '',
      'src/DTest.php': '',
    }
    expect((await phpRecipes(recipeInput(plain)))[0]!.suite).toEqual(['src/DTest.php', 'tests/ATest.php'])
    expect(await phpRecipes(recipeInput({ 'composer.json': '{}', 'src/A.php': '' }))).toEqual([])
  })

  it('add PHPUnit where nobody requires it, and install nothing over a committed vendor folder', async () => {
    const without = await phpRecipes(recipeInput({ 'composer.json': '{"name": "a/b"}', 'tests/ATest.php': '' }))
    expect(without.map(({ files }) => files[0]!.text.includes('"phpunit/phpunit": "*"'))).toEqual([true, false])
    const vendored = { 'composer.json': '{}', 'vendor/autoload.php': '', 'tests/ATest.php': '' }
    expect((await phpRecipes(recipeInput(vendored))).map(({ project }) => project)).toEqual([[]])
  })
})

describe('the version of PHP', () => {
  const rows: readonly [constraint: string | undefined, named: string | undefined, version: string][] = [
    [undefined, undefined, '8.4'],
    ['>=7.2', undefined, '8.4'],
    ['^7.2', undefined, '7.4'],
    ['^7.4 || ^8.0', undefined, '8.4'],
    ['>=8.1 <8.4', undefined, '8.3'],
    ['~8.1.0', undefined, '8.1'],
    ['8.2.*', undefined, '8.2'],
    ['~8.1.0|~8.2.0', undefined, '8.2'],
    ['^8.1', '8.2', '8.2'],
    ['^5.6', undefined, '8.4'],
    [undefined, 'php 8.1.3', '8.1'],
  ]
  for (const [constraint, named, version] of rows)
    it(`is ${version} for ${constraint ?? 'nothing'}${named ? ` and ${named}` : ''}`, () =>
      expect(phpVersion(constraint, named)).toBe(version))
})

describe('the phpunit command', () => {
  const [installed, , debian] = recipes as [Recipe, Recipe, Recipe]

  it('names files to the driver, which asks for a JUnit log [B2 B4]', () => {
    expect(phpunitRunner.suite(installed, ['other/NewTest.php', 'other/data.json'])).toEqual([
      {
        argv: [
          ...['php', '{tests}/reporters/phpunit_files.php', '{report}/0.xml', 'vendor/bin/phpunit', '--'],
          ...['extra/odd.php', 'modules/x/Tests/CTest.php', 'tests/ATest.php', 'other/NewTest.php'],
        ],
        report: '0.xml',
      },
    ])
    const own = { ...debian, testCommand: ['php', '-d', 'a=b', 'bin/phpunit', '-c', 'x.xml'] }
    expect(phpunitRunner.files(own, ['tests/ATest.php', 'tests/Helper.php'])[0]!.argv.slice(3)).toEqual([
      ...['php', '-d', 'a=b', 'bin/phpunit', '-c', 'x.xml', '--', 'tests/ATest.php'],
    ])
  })

  const filter = '/^Ns\\\\ATest::testM( with data set .*)?$/s'
  const selectors: Readonly<Record<string, readonly string[]>> = {
    'tests/ATest.php::Ns\\ATest::testM': ['phpunit', '--filter', filter, '--', 'tests/ATest.php'],
    'tests/ATest.php::Ns\\ATest::testM with data set "x"': ['phpunit', '--filter', filter, '--', 'tests/ATest.php'],
    'tests/ATest.php::Ns\\ATest::testM with data set #0': ['phpunit', '--filter', filter, '--', 'tests/ATest.php'],
    'tests/a.phpt': ['phpunit', '--', 'tests/a.phpt'],
  }
  for (const [id, words] of Object.entries(selectors))
    it(`selects ${id} [X13]`, () => expect(phpunitRunner.select(debian, id).argv.slice(3)).toEqual(words))
})

const source = `<?php
namespace Acme\\Tests;

final class StackTest extends TestCase
{
    private const LIMIT = 3; // comment
    private const OTHER = 4;
    private $rows = ['a' => '}'];

    protected function setUp(): void { $this->stack = new Stack(1); }

    /** Says something about @param and is no test. */
    public function helper(): int { return 1; }

    public function testPush(): void
    {
        # public function testNot() {}
        self::assertSame(self::LIMIT, $this->helper());
        $text = <<<'TEXT'
            } public function testInText() {
            TEXT;
    }

    /**
     * @test
     * @dataProvider rows
     */
    public function it_pops(int $row): void { self::assertTrue("{$row}" === '1'); }

    public static function rows(): array { return [[1], [2]]; }

    #[Test, DataProvider('named')]
    public function marked(): void {}

    public static function named() { yield 'x' => [1]; }
}
`
const textOf = (code: string, name: string) =>
  phpTestCases(code).find((item) => item.name === `Acme\\Tests\\StackTest::${name}`)?.text

describe('test cases of PHP', () => {
  it('are methods by name, annotation or attribute', () => {
    expect(phpTestCases(source).map(({ name }) => name)).toEqual([
      'Acme\\Tests\\StackTest::testPush',
      'Acme\\Tests\\StackTest::it_pops',
      'Acme\\Tests\\StackTest::marked',
    ])
  })

  const edits: readonly [title: string, from: string, to: string, name: string, changes: boolean][] = [
    ['a comment', '// comment', '// other', 'testPush', false],
    ['a doc comment', 'Says something', 'Says nothing', 'testPush', false],
    ['blanks', 'return 1', 'return   1', 'testPush', false],
    ['a helper that it names', 'return 1', 'return 2', 'testPush', true],
    ['a constant that it names', 'LIMIT = 3', 'LIMIT = 4', 'testPush', true],
    ['a constant that it does not name', 'OTHER = 4', 'OTHER = 5', 'testPush', false],
    ['its set-up', 'Stack(1)', 'Stack(2)', 'testPush', true],
    ['text of a here-document', 'testInText', 'testInOther', 'testPush', true],
    ['a row of its provider', '[[1], [2]]', '[[1], [3]]', 'it_pops', true],
    ['a provider named by an attribute', "'x' => [1]", "'x' => [2]", 'marked', true],
  ]
  for (const [title, from, to, name, changes] of edits)
    it(`${changes ? 'change' : 'do not change'} with ${title} [A3]`, () => {
      expect(textOf(source, name)).toBeDefined()
      expect(textOf(source.replace(from, to), name) !== textOf(source, name)).toBe(changes)
    })

  it('take linear time on hostile text', () => {
    for (const unit of [
      '"',
      '`',
      '/*',
      '/** @test',
      '<<<A\n',
      '(',
      '\\',
      '#\n',
      'class A {',
      'function testA() {}',
      'namespace {',
    ])
      phpTestCases(unit.repeat(200_000 / unit.length))
  }, 20_000)
})

describe('the role of a PHP path', () => {
  const roles: Readonly<Record<string, string | undefined>> = {
    'tests/ATest.php': 'test',
    'tests/bootstrap.php': 'test',
    'src/Foo/Tests/Helper.php': 'test',
    'src/ATest.php': 'test',
    'test/a.php': 'test',
    'features/bootstrap/Context.php': 'test',
    'tests/a.phpt': 'test',
    'src/Test/Case.php': 'source',
    'src/Latest.php': 'source',
    'src/Testing/A.php': 'source',
    'index.php': 'source',
    'rector.php': 'other',
    '.php-cs-fixer.dist.php': 'other',
    'vendor/a/ATest.php': 'other',
    'docs/ATest.php': undefined,
    'composer.json': undefined,
    'tests/data.json': undefined,
  }
  for (const [path, role] of Object.entries(roles))
    it(`${path} is ${role ?? 'left to the general rules'} [A1]`, () => expect(phpRole(path)).toBe(role))
})

describe('a PHP test id', () => {
  const files = [{ path: 'tests/ATest.php', text: '' }]
  const rows: Readonly<Record<string, boolean>> = {
    'tests/ATest.php::Ns\\ATest::testM with data set "::"': true,
    'tests/ATest.php': true,
    'tests/BTest.php::Ns\\ATest::testM': false,
  }
  for (const [id, owned] of Object.entries(rows))
    it(`${id} is ${owned ? '' : 'not '}from the hidden file [B19]`, () =>
      expect(phpPack.ownsTest(files, id)).toBe(owned))
})
