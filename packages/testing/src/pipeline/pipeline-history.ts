import type { RepositoryStep } from '../repository/repository-step.ts'

const blank = (body: string) => `def split(text):\n    """Split a text at blanks."""\n${body}`
const test = (...cases: readonly string[]) => `from app.text import split\n${cases.map((one) => `\n\n${one}`).join('')}`
const FIRST = 'def test_splits():\n    assert split("a b") == ["a", "b"]\n'
const TABS = 'def test_splits_at_tabs():\n    assert split("a\\tb") == ["a", "b"]\n'
const EMPTY = 'def test_empty_text_has_no_words():\n    assert split("") == []\n'

/**
 * A small Python project: fixes with tests as plain commits, squashed and merged requests, and the commits that make no
 * task: documents, CI, a release, a bot, a revert, a merge of branches.
 */
export const PIPELINE_HISTORY: readonly RepositoryStep[] = [
  {
    commit: 'Start the project',
    files: {
      'pyproject.toml': '[project]\nname = "app"\nversion = "1"\n',
      'app/__init__.py': '',
      'app/text.py': blank('    return text.split(" ")\n'),
      'tests/test_text.py': test(FIRST),
      'README.md': '# app\n',
    },
  },
  { commit: 'docs: say what the project is for', files: { 'README.md': '# app\n\nSplits texts.\n' } },
  {
    commit: 'Fix words that stick together at tabs (#3)\n\nA text with tabs came back as one word. Fixes #2.',
    files: {
      'app/text.py': blank('    parts = text.replace("\\t", " ")\n    return parts.split(" ")\n'),
      'tests/test_text.py': test(FIRST, TABS),
    },
  },
  { ref: 'refs/pull/3/head' },
  { commit: 'Run the tests on every push', files: { '.github/workflows/test.yml': 'on: push\n' } },
  { branch: 'fix/empty' },
  {
    commit: 'Fix the empty text\n\nAn empty text gave one empty word where no word was expected.',
    files: {
      'app/text.py': blank(
        '    parts = text.replace("\\t", " ")\n    words = parts.split(" ")\n    return [word for word in words if word != ""]\n',
      ),
      'tests/test_text.py': test(FIRST, TABS, EMPTY),
      'CHANGES.md': '- Empty texts have no words.\n',
    },
  },
  { ref: 'refs/pull/5/head' },
  { branch: 'main' },
  { merge: 'fix/empty', message: 'Merge pull request #5 from ada/fix/empty\n\nFix wrong words of an empty text' },
  {
    commit: 'Bump version',
    files: { 'pyproject.toml': '[project]\nname = "app"\nversion = "2"\n' },
    author: { name: 'dependabot[bot]', email: 'bot@example.com' },
  },
  { commit: 'Revert "Run the tests on every push" (#6)', delete: ['.github/workflows/test.yml'] },
]
