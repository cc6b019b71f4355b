import { describe, expect, it } from 'vitest'
import { jvmOwnsTest } from './owns-test.ts'
import { jvmTestCases } from './test-cases.ts'

const java = `package shop;

import org.junit.jupiter.api.*;
import static org.junit.Assert.*;

/** @Test void inAComment() {} */
@DisplayName("prices {")
class PriceTest extends Base<String> {
  private static final int[][] ROWS = {{1, 2}, {3, 4}};
  private final Runnable later = new Runnable() { public void run() { ; } };

  static Stream<Arguments> rows() {
    return Stream.of(Arguments.of("a }", ROWS));
  }

  @BeforeEach
  void setUp() {}

  @Test
  void passes() { // comment
    assertEquals("""
        @Test void inAText() {}
        """, '"' + "\\"");
  }

  @ParameterizedTest(name = "{0} (x)")
  @MethodSource("rows")
  public <T> void adds(@Ann("(") String text, T rows) throws Exception {
    Runnable r = () -> { };
  }

  @org.junit.Test(expected = IllegalStateException.class) public void qualified() {}

  void helper() {}

  @Nested
  class Inner {
    @RepeatedTest(2) void again() {}
    record Row(int a) {}
  }

  enum Kind { A, B { void x() {} }; }
}

class OldTest extends TestCase {
  public void testOld() {}
  public int testNot() { return 1; }
}

@Test
class TestNgTest {
  public void every() {}
  void hidden() {}
}
`

const kotlin = `package shop
import org.junit.jupiter.api.Test
/* outer /* inner */ @Test fun inAComment() {} */
class PriceTest(val x: Int = 1) : Base() {
    private val rows = listOf(
        1,
        2,
    )
    private val name = "\${rows.map { "it } \${it}" }} @Test fun inAString() {}"

    @Test
    fun \`adds two (or more) numbers\`() = assertEquals(
        4,
        rows.sum(),
    )

    @Test @DisplayName("x") fun plain() {
        run { }
    }

    @ParameterizedTest
    @ValueSource(ints = [1, 2])
    fun rows(value: Int): Unit =
        check(value)

    fun helper() = 1

    @Nested
    inner class \`with blanks\` {
        @Test
        fun deep() {
        }
    }

    companion object {
        @JvmStatic fun make() = 1
    }
}
class Words : FunSpec({
    test("a") { }
})
`

const groovy = `package shop
class PriceSpec extends Specification {
    def prices = [1, 2]

    def "adds #a and #b"() {
        expect:
        a + b == sum
        where:
        a | b || sum
        1 | 2 || 3
    }

    def helper() { 1 }
}
`

const names = (path: string, source: string) => jvmTestCases(path, source).map(({ name }) => name)

describe('test cases of the JVM', () => {
  it('are methods with an annotation of a test framework, and those of old and TestNG classes', () => {
    expect(names('PriceTest.java', java)).toEqual([
      'PriceTest::passes',
      'PriceTest::adds',
      'PriceTest::qualified',
      'PriceTest$Inner::again',
      'OldTest::testOld',
      'TestNgTest::every',
    ])
  })

  it('are functions of Kotlin, blanks kept, and specifications as a whole [X5]', () => {
    expect(names('PriceTest.kt', kotlin)).toEqual([
      'PriceTest::adds two (or more) numbers',
      'PriceTest::plain',
      'PriceTest::rows',
      'PriceTest$with blanks::deep',
      'Words',
    ])
  })

  it('are features of Spock [X5]', () => {
    expect(names('PriceSpec.groovy', groovy)).toEqual(['PriceSpec::adds #a and #b'])
  })

  const edits: readonly [title: string, source: string, from: string, to: string, name: string, changes: boolean][] = [
    ['a comment', java, '// comment', '// other', 'PriceTest::passes', false],
    ['blanks', java, 'void passes() {', 'void  passes()  {', 'PriceTest::passes', false],
    ['a string', java, "'\"' +", "'x' +", 'PriceTest::passes', true],
    ['a row that its source names', java, '"a }"', '"b }"', 'PriceTest::adds', true],
    ['a row that it does not name', java, '"a }"', '"b }"', 'PriceTest::passes', false],
    ['a value of an annotation', kotlin, '[1, 2]', '[1, 2, 3]', 'PriceTest::rows', true],
    ['a value that it names', kotlin, '        2,\n', '        3,\n', 'PriceTest::adds two (or more) numbers', true],
    ['a row of a table', groovy, '1 | 2 || 3', '1 | 3 || 4', 'PriceSpec::adds #a and #b', true],
  ]
  for (const [title, source, from, to, name, changes] of edits)
    it(`${changes ? 'change' : 'do not change'} with ${title} [A3]`, () => {
      const path = source === java ? 'a.java' : source === kotlin ? 'a.kt' : 'a.groovy'
      const textOf = (code: string) => jvmTestCases(path, code).find((item) => item.name === name)?.text
      const edited = source.replace(from, to)
      expect(edited).not.toBe(source)
      expect(textOf(source)).toBeDefined()
      expect(textOf(edited) !== textOf(source)).toBe(changes)
    })

  for (const ending of ['java', 'kt', 'groovy'])
    it(`take linear time on hostile text of ${ending}`, () => {
      for (const unit of [
        '"',
        "'",
        '`',
        '/*',
        '(',
        '{',
        '[',
        '@',
        '@A(',
        '${"',
        '"""',
        '\\',
        ';',
        'class A{',
        '@T(a="',
        'a=',
        '<',
        ' \n',
        'fun ',
        'class a\n',
      ])
        jvmTestCases(`a.${ending}`, unit.repeat(400_000 / unit.length))
    }, 20_000)
})

describe('a JVM test id', () => {
  const files = [
    { path: 'core/src/test/java/shop/PriceTest.java', text: java },
    { path: 'core/src/test/kotlin/Anything.kt', text: kotlin.replaceAll('PriceTest', 'CartTest') },
  ]
  const rows: Readonly<Record<string, boolean>> = {
    'core::shop.PriceTest::passes': true,
    'core::shop.PriceTest::inherited[1]': true,
    'core::shop.PriceTest$Inner::again[2]': true,
    'core::shop.OldTest::testOld': true,
    'core::shop.CartTest$with blanks::deep': true,
    '.::shop.PriceTest::passes': true,
    'core::shop.PriceTestMore::passes': false,
    'core::other.PriceTest::passes': false,
    'corex::shop.PriceTest::passes': false,
    'core::shop.PriceTest': true,
    core: false,
  }
  for (const [id, owned] of Object.entries(rows))
    it(`${id} is ${owned ? '' : 'not '}from the hidden files [B19]`, () => expect(jvmOwnsTest(files, id)).toBe(owned))
})
