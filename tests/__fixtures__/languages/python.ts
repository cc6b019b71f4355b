import type { RepositoryStep } from '../../../packages/testing/src/index.ts'
import type { LanguageSample } from './index.ts'

const source = (...functions: string[]) => `${functions.join('\n\n\n')}\n`

const area = (body: string) => `def area(width, height):\n    return ${body}`
const perimeter = 'def perimeter(width, height):\n    return 2 * (width + height)'
const parse = (body: string) => `def parse(text):\n    ${body}`

const tests = (imports: string, ...cases: string[]) =>
  `${['import time\n\nimport pytest\n', `from shapes import ${imports}\n\n`, ...cases].join('\n')}`

const areas = (rows: string) =>
  `@pytest.mark.parametrize("width, height, wanted", [${rows}])\ndef test_area(width, height, wanted):\n    assert area(width, height) == wanted\n\n`
const steady = [
  '@pytest.mark.skip(reason="needs a printer")\ndef test_printed():\n    assert False\n\n',
  '@pytest.mark.xfail(reason="circles are not known")\ndef test_circle():\n    assert area("r", 1) == 3\n\n',
  'def test_that_moves():\n    assert time.time_ns() // 1000 % 64 == 0\n\n',
]
const parsed = (name: string, rows: string) => `def test_${name}():\n    assert [parse(text) for text in ["2x3", " 2 x 3 "]] == ${rows}\n\n`

const history: readonly RepositoryStep[] = [
  {
    commit: 'Start the shapes module',
    files: {
      'pyproject.toml': '[project]\nname = "shapes"\nversion = "1"\n[project.optional-dependencies]\ntest = ["pytest"]\n',
      'shapes.py': source(area('width * height')),
      'tests/test_shapes.py': tests('area', areas('(1, 2, 2), (2, 2, 4)'), ...steady),
    },
  },
  {
    commit: 'Fix the area of a shape with a negative side\n\nA negative side gave a negative area; it is an error now, as for any shape that cannot be.',
    files: {
      'shapes.py': source(area('width * height if min(width, height) >= 0 else None')),
      'tests/test_shapes.py': tests('area', areas('(1, 2, 2), (2, 2, 4), (-1, 2, None)'), ...steady),
    },
  },
  {
    commit: 'Add the perimeter of a shape\n\nperimeter(width, height) is the length around it.',
    files: {
      'shapes.py': source(area('width * height if min(width, height) >= 0 else None'), perimeter),
      'tests/test_perimeter.py': 'from shapes import perimeter\n\n\ndef test_perimeter():\n    assert perimeter(1, 2) == 6\n',
    },
  },
  {
    commit: 'Read a shape from a text\n\nparse("2x3") gives the two sides as numbers.',
    files: {
      'shapes.py': source(area('width * height if min(width, height) >= 0 else None'), perimeter, parse('return [int(side) for side in text.split("x")] if " " not in text else None')),
      'tests/test_parse.py': `from shapes import parse\n\n\n${parsed('sides', '[[2, 3], None]')}`,
    },
  },
  {
    commit: 'Fix the reading of shapes with blanks around their sides\n\nA text with blanks was refused.',
    files: {
      'shapes.py': source(area('width * height if min(width, height) >= 0 else None'), perimeter, parse('return [int(side) for side in text.split("x")]')),
      'tests/test_parse.py': `from shapes import parse\n\n\n${parsed('sides_and_blanks', '[[2, 3], [2, 3]]')}`,
    },
  },
  { commit: 'Describe the shapes', files: { 'README.md': '# shapes\n\nAreas and perimeters of plain shapes.\n' } },
]

export const python: LanguageSample = {
  language: 'python',
  runner: 'pytest',
  image: 'lab/python',
  history,
  expected: {
    'Fix the area of a shape with a negative side': {
      failToPass: ['tests/test_shapes.py::test_area[-1-2-None]'],
      keeps: ['tests/test_shapes.py::test_area[1-2-2]'],
      loses: ['tests/test_shapes.py::test_printed', 'tests/test_shapes.py::test_circle', 'tests/test_shapes.py::test_that_moves'],
    },
    'Add the perimeter of a shape': { failToPass: ['tests/test_perimeter.py::test_perimeter'] },
    'Fix the reading of shapes with blanks around their sides': {
      failToPass: ['tests/test_parse.py::test_sides_and_blanks'],
    },
    'Describe the shapes': { skip: 'empty_source_patch' },
  },
}
