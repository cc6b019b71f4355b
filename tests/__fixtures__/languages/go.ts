import type { RepositoryStep } from '../../../packages/testing/src/index.ts'
import type { LanguageSample } from './index.ts'

const source = (...functions: string[]) => `package shapes\n\n${functions.join('\n')}`

const area = (guard = '') => `// Area of a shape.\nfunc Area(width, height int) int {\n${guard}\treturn width * height\n}\n`
const guard = '\tif width < 0 || height < 0 {\n\t\treturn -1\n\t}\n'
const perimeter = (body: string) =>
  `// Perimeter of a shape.\nfunc Perimeter(width, height int) int {\n\treturn ${body}\n}\n`

const areaTest = (rows: string) => `package shapes

import (
	"fmt"
	"testing"
	"time"
)

func TestArea(t *testing.T) {
	for _, row := range [][3]int{${rows}} {
		t.Run(fmt.Sprintf("%d by %d", row[0], row[1]), func(t *testing.T) {
			if got := Area(row[0], row[1]); got != row[2] {
				t.Errorf("got %d, want %d", got, row[2])
			}
		})
	}
}

func TestPrinted(t *testing.T) {
	t.Skip("needs a printer")
}

func TestThatMoves(t *testing.T) {
	if time.Now().UnixNano()/1000%64 != 0 {
		t.Fatal("not one microsecond in 64")
	}
}

func ExampleArea() {
	fmt.Println(Area(2, 3))
	// Output: 6
}
`

const perimeterTest = (name: string, width: number, wanted: number) => `package shapes

import "testing"

func Test${name}(t *testing.T) {
	if got := Perimeter(${width}, 2); got != ${wanted} {
		t.Errorf("got %d, want ${wanted}", got)
	}
}
`

const history: readonly RepositoryStep[] = [
  {
    commit: 'Start the shapes module',
    files: {
      'go.mod': 'module example.com/shapes\n\ngo 1.21\n',
      'shapes.go': source(area()),
      'shapes_test.go': areaTest('{1, 2, 2}, {2, 2, 4}'),
    },
  },
  {
    commit: 'Fix the area of a shape with a negative side\n\nA negative side gave a negative area of any size; it is -1 now.',
    files: {
      'shapes.go': source(area(guard)),
      'shapes_test.go': areaTest('{1, 2, 2}, {2, 2, 4}, {-3, 2, -1}'),
    },
  },
  {
    commit: 'Add the perimeter of a shape\n\nPerimeter(width, height) is the length around it.',
    files: {
      'shapes.go': source(area(guard), perimeter('2*width + 2*height')),
      'perimeter_test.go': perimeterTest('Perimeter', 1, 6),
    },
  },
  {
    commit: 'Fix the perimeter of a line\n\nA shape without a width is a line, and its perimeter its length.',
    files: {
      'shapes.go': source(area(guard), perimeter('max(height, 2*width + 2*height*min(width, 1))')),
      'perimeter_test.go': perimeterTest('PerimeterOfLine', 0, 2),
    },
  },
  { commit: 'Describe the shapes', files: { 'README.md': '# shapes\n\nAreas and perimeters of plain shapes.\n' } },
]

export const go: LanguageSample = {
  language: 'go',
  runner: 'go',
  selects: /^[^/]*/,
  image: 'lab/go',
  history,
  expected: {
    'Fix the area of a shape with a negative side': {
      failToPass: ['example.com/shapes::TestArea', 'example.com/shapes::TestArea/-3_by_2'],
      keeps: ['example.com/shapes::ExampleArea', 'example.com/shapes::TestArea/1_by_2'],
      loses: ['example.com/shapes::TestPrinted', 'example.com/shapes::TestThatMoves'],
    },
    // The new test does not compile before it, and takes the whole package with it: the others stay what they were.
    'Add the perimeter of a shape': {
      failToPass: ['example.com/shapes::TestPerimeter'],
      keeps: ['example.com/shapes::ExampleArea', 'example.com/shapes::TestArea/1_by_2'],
    },
    'Fix the perimeter of a line': { failToPass: ['example.com/shapes::TestPerimeterOfLine'] },
    'Describe the shapes': { skip: 'empty_source_patch' },
  },
}
