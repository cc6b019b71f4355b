import type { RepositoryStep } from '../../packages/testing/src/index.ts'

const slug = (body: string) => `package slug

import "strings"

// Make turns a title into a slug.
func Make(title string) string {
${body}
}
`

const test = (cases: string) => `package slug

import "testing"

func TestMake(t *testing.T) {
	for title, want := range map[string]string{
${cases}	} {
		t.Run(title, func(t *testing.T) {
			if got := Make(title); got != want {
				t.Errorf("Make(%q) = %q, want %q", title, got, want)
			}
		})
	}
}
`

/** A Go module with one bug fix that has a test. */
export const goHistory: readonly RepositoryStep[] = [
  {
    commit: 'Start the slug module',
    files: {
      'go.mod': 'module example.com/slug\n\ngo 1.21\n',
      'slug.go': slug('\treturn strings.ReplaceAll(strings.ToLower(title), " ", "-")'),
      'slug_test.go': test('\t\t"Hello World": "hello-world",\n'),
    },
  },
  {
    commit: 'Fix slugs of titles with extra blanks\n\nBlanks at the ends or in a row gave doubled hyphens where one is expected.',
    files: {
      'slug.go': slug('\treturn strings.Join(strings.Fields(strings.ToLower(title)), "-")'),
      'slug_test.go': test('\t\t"Hello World": "hello-world",\n\t\t" a  b ":     "a-b",\n'),
    },
  },
]
