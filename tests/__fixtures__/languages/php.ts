import type { RepositoryStep } from '../../../packages/testing/src/index.ts'
import type { LanguageSample } from './index.ts'

const slug = (body: string) => `<?php

namespace Acme;

final class Slug
{
    public static function make(string $title): string
    {
        ${body}
    }
}
`

const test = (rows: string, cases: string) => `<?php

namespace Acme\\Tests;

use Acme\\Slug;
use PHPUnit\\Framework\\Attributes\\DataProvider;
use PHPUnit\\Framework\\TestCase;

final class SlugTest extends TestCase
{
    public static function titles(): array
    {
        return [
            ['one', 'one'],
            'two words' => ['Hello World', 'hello-world'],
${rows}        ];
    }

    #[DataProvider('titles')]
    public function testMakes(string $title, string $slug): void
    {
        self::assertSame($slug, Slug::make($title));
    }

    public function testReadsFiles(): void
    {
        self::markTestSkipped('not written');
    }

    public function testIsLucky(): void
    {
        self::assertSame(0, hrtime(true) % 61);
    }

${cases}}
`

const keeps = (name: string) => `    public function ${name}(): void
    {
        self::assertSame('c-d', Slug::make('c-d'));
    }
`
const blankRow = `            'blanks' => [' a  b ', 'a-b'],\n`
const plain = "return str_replace(' ', '-', strtolower($title));"
const blanks = "return implode('-', preg_split('/ +/', trim(strtolower($title))));"
const signs = "return implode('-', preg_split('/[^a-z0-9]+/', strtolower($title), -1, PREG_SPLIT_NO_EMPTY));"

const history: readonly RepositoryStep[] = [
  {
    commit: 'Start the slug library',
    files: {
      'composer.json': `${JSON.stringify(
        {
          name: 'acme/slug',
          require: { php: '>=8.1' },
          'require-dev': { 'phpunit/phpunit': '^10 || ^11' },
          autoload: { 'psr-4': { 'Acme\\': 'src/' } },
          'autoload-dev': { 'psr-4': { 'Acme\\Tests\\': 'tests/' } },
        },
        undefined,
        2,
      )}\n`,
      'phpunit.xml.dist':
        '<?xml version="1.0"?>\n<phpunit bootstrap="vendor/autoload.php" stopOnFailure="true" executionOrder="random">\n  <testsuites><testsuite name="all"><directory>tests</directory></testsuite></testsuites>\n</phpunit>\n',
      '.gitignore': '/vendor/\n',
      'README.md': '# Slug\n',
      'src/Slug.php': slug(plain),
      'tests/SlugTest.php': test('', keeps('testKeepsAHyphen')),
    },
  },
  {
    commit: 'Fix slugs of titles with extra blanks\n\nBlanks at the ends or in a row gave doubled hyphens.',
    files: { 'src/Slug.php': slug(blanks), 'tests/SlugTest.php': test(blankRow, keeps('testKeepsAHyphen')) },
  },
  {
    commit: 'Add a test case for makers of slugs\n\nAcme\\Testing\\MakerTestCase checks any object with a make method.',
    files: {
      'src/Testing/MakerTestCase.php':
        '<?php\n\nnamespace Acme\\Testing;\n\nabstract class MakerTestCase extends \\PHPUnit\\Framework\\TestCase\n{\n    abstract protected function make(string $title): string;\n\n    public function testMakesLowerCase(): void\n    {\n        self::assertSame("a", $this->make("A"));\n    }\n}\n',
      'tests/MakerTest.php':
        '<?php\n\nnamespace Acme\\Tests;\n\nfinal class MakerTest extends \\Acme\\Testing\\MakerTestCase\n{\n    protected function make(string $title): string\n    {\n        return \\Acme\\Slug::make($title);\n    }\n\n    public function testMakesTwice(): void\n    {\n        self::assertSame("a", $this->make($this->make("A")));\n    }\n}\n',
    },
  },
  {
    commit: 'Fix slugs of titles with signs\n\nPunctuation was kept; now it separates words like a blank does.',
    files: {
      'src/Slug.php': slug(signs),
      'tests/SlugTest.php': test(`${blankRow}            'signs' => ['a, b!', 'a-b'],\n`, keeps('testTakesAHyphenForABlank')),
    },
  },
  { commit: 'Describe test cases in the README', files: { 'README.md': '# Slug\n\nMakes slugs, and checks makers.\n' } },
]

export const php: LanguageSample = {
  language: 'php',
  runner: 'phpunit',
  selects: /^.*?(?= with data set|$)/,
  image: 'lab/php',
  history,
  expected: {
    'Fix slugs of titles with extra blanks': {
      failToPass: ['tests/SlugTest.php::Acme\\Tests\\SlugTest::testMakes with data set "blanks"'],
    },
    'Add a test case for makers of slugs': {
      failToPass: [
        'tests/MakerTest.php::Acme\\Tests\\MakerTest::testMakesLowerCase',
        'tests/MakerTest.php::Acme\\Tests\\MakerTest::testMakesTwice',
      ],
    },
    'Fix slugs of titles with signs': {
      failToPass: ['tests/SlugTest.php::Acme\\Tests\\SlugTest::testMakes with data set "signs"'],
    },
    'Describe test cases in the README': { skip: 'empty_source_patch' },
  },
}
