// The scripted history of a small Python library: what a real repository holds, in twenty commits.
// Each step is one commit; `edit` changes a file as the story left it, so a step shows only what it changes.

const files = new Map()

/** Replaces one passage; a passage that is not there is a mistake in the script. */
function edit(path, before, after) {
  const text = files.get(path)
  if (!text?.includes(before)) throw new Error(`${path} holds no ${JSON.stringify(before)}`)
  return write(
    path,
    text.replace(before, () => after),
  )
}

function append(path, text) {
  return write(path, files.get(path) + text)
}

function write(path, text) {
  files.set(path, text)
  return { [path]: text }
}

const commit = (message, ...changes) => ({ commit: message, files: Object.assign({}, ...changes) })

const steps = [
  commit(
    'Start the wordsmith library',
    write(
      'pyproject.toml',
      `[build-system]
requires = ["setuptools>=68"]
build-backend = "setuptools.build_meta"

[project]
name = "wordsmith"
version = "1.0"
requires-python = ">=3.9"

[dependency-groups]
test = ["pytest"]

[tool.setuptools]
packages = ["wordsmith"]

[tool.pytest.ini_options]
testpaths = ["tests"]
`,
    ),
    write('README.md', '# wordsmith\n\nSmall helpers for text: slugs, durations, tables.\n'),
    write('wordsmith/__init__.py', '"""Small helpers for text."""\n'),
    write(
      'wordsmith/text.py',
      `import re


def slugify(title):
    """Turns a title into a lower-case slug: words joined by single hyphens."""
    return re.sub(r"[^a-z0-9]", "-", title.lower())


def truncate(text, width):
    """Cuts a text to at most \`width\` characters, the ellipsis included."""
    if len(text) <= width:
        return text
    return text[:width] + "…"


def initials(name):
    """Initials of a name: "Ada Lovelace" gives "AL"."""
    return "".join(part[0] for part in name.split(" "))
`,
    ),
    write(
      'wordsmith/duration.py',
      `UNITS = {"s": 1, "m": 60, "h": 3600}


def parse_duration(text):
    """Seconds of a duration such as "90s", "5m" or "2h"."""
    return int(text[:-1]) * UNITS[text[-1]]


def format_duration(seconds):
    """Writes seconds as h:mm:ss."""
    hours, rest = divmod(seconds, 3600)
    minutes, seconds = divmod(rest, 60)
    return f"{hours}:{minutes}:{seconds}"
`,
    ),
    write(
      'wordsmith/table.py',
      `def render_table(rows):
    """Renders rows of cells as lines, columns padded to equal width."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows)]
    return "\\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)) for row in rows)
`,
    ),
    write('tests/__init__.py', ''),
    write(
      'tests/test_text.py',
      `from wordsmith.text import initials, slugify, truncate


def test_slugify_lowers_case():
    assert slugify("Hello World") == "hello-world"


def test_truncate_keeps_short_text():
    assert truncate("short", 10) == "short"


def test_initials_of_two_names():
    assert initials("Ada Lovelace") == "AL"
`,
    ),
    write(
      'tests/test_duration.py',
      `from wordsmith.duration import format_duration, parse_duration


def test_parse_minutes():
    assert parse_duration("5m") == 300


def test_format_hours():
    assert format_duration(45296) == "12:34:56"
`,
    ),
    write(
      'tests/test_table.py',
      `from wordsmith.table import render_table


def test_columns_are_padded():
    assert render_table([["a", "bb"], ["ccc", "d"]]) == "a    bb\\nccc  d "
`,
    ),
  ),
  commit(
    'Fix slugs with doubled hyphens\n\nA title with punctuation, such as "Hello, World!", gave "hello--world-": every character that is not a letter or\ndigit became a hyphen of its own, also at both ends.',
    edit(
      'wordsmith/text.py',
      're.sub(r"[^a-z0-9]", "-", title.lower())',
      're.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")',
    ),
    append(
      'tests/test_text.py',
      `

def test_slugify_joins_runs_of_punctuation():
    assert slugify("Hello, World!") == "hello-world"
`,
    ),
  ),
  commit(
    'Describe the duration format in the README file',
    append('README.md', '\nDurations are written as `90s`, `5m` or `2h`.\n'),
  ),
  commit(
    'Fix truncated text that is one character too long\n\nThe result of truncate was longer than the width that was asked for, since the ellipsis came on top of it.',
    edit('wordsmith/text.py', 'return text[:width] + "…"', 'return text[: width - 1] + "…"'),
    append(
      'tests/test_text.py',
      `

def test_truncate_counts_the_ellipsis():
    assert truncate("abcdefgh", 5) == "abcd…"
`,
    ),
  ),
  commit(
    'feat: accept days in durations\n\nDurations of several days can be written as "3d".',
    edit('wordsmith/duration.py', '"h": 3600}', '"h": 3600, "d": 86400}'),
    append(
      'tests/test_duration.py',
      `

def test_parse_days():
    assert parse_duration("3d") == 259200
`,
    ),
  ),
  commit('wip', edit('wordsmith/__init__.py', 'Small helpers for text.', 'Small helpers for text and time.')),
  commit(
    'Fix wrong minutes in formatted durations\n\nformat_duration(61) answered "0:1:1" where "0:01:01" is expected: minutes and seconds below ten lost their zero.',
    edit('wordsmith/duration.py', 'f"{hours}:{minutes}:{seconds}"', 'f"{hours}:{minutes:02}:{seconds:02}"'),
    append(
      'tests/test_duration.py',
      `

def test_format_pads_minutes_and_seconds():
    assert format_duration(61) == "0:01:01"
`,
    ),
  ),
  commit(
    'refactor: name the separator of table columns',
    edit('wordsmith/table.py', 'def render_table', 'SEPARATOR = "  "\n\n\ndef render_table'),
    edit('wordsmith/table.py', '"  ".join(cell', 'SEPARATOR.join(cell'),
  ),
  commit(
    'Add more tests for tables of one column',
    append(
      'tests/test_table.py',
      `

def test_one_column():
    assert render_table([["a"], ["bb"]]) == "a \\nbb"
`,
    ),
  ),
  commit(
    'Fix the error that an empty table raises\n\nrender_table([]) must give an empty text and raised a ValueError for rows without any cells.',
    edit('wordsmith/table.py', '    widths = [max', '    if not any(rows):\n        return ""\n    widths = [max'),
    append(
      'tests/test_table.py',
      `

def test_rows_without_cells():
    assert render_table([[], []]) == ""
`,
    ),
  ),
  commit(
    'Fix the builds of pull requests on the main branch',
    write(
      '.github/workflows/test.yml',
      'on: [push, pull_request]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: python -m pytest\n',
    ),
  ),
  commit(
    'Fix the speed of slugs for very long titles\n\nThe pattern was compiled anew for every title.',
    edit('wordsmith/text.py', 'import re\n', 'import re\n\nNOT_SLUG = re.compile(r"[^a-z0-9]+")\n'),
    edit('wordsmith/text.py', 're.sub(r"[^a-z0-9]+", "-", title.lower())', 'NOT_SLUG.sub("-", title.lower())'),
    append(
      'tests/test_text.py',
      `

def test_slugify_of_a_long_title():
    assert slugify("word " * 1000) == "-".join(["word"] * 1000)
`,
    ),
  ),
  commit(
    'Fix tokens that are equal for two different seeds\n\nmake_token ignored its seed, so that every caller received the same token.',
    write(
      'wordsmith/token.py',
      `import hashlib


def make_token(seed):
    """A short token of a seed; other seeds give other tokens."""
    return hashlib.sha256(seed.encode()).hexdigest()[:8]
`,
    ),
    write(
      'tests/test_token.py',
      `import uuid

import pytest

from wordsmith.token import make_token


@pytest.mark.parametrize("seed", [uuid.uuid4().hex])
def test_token_depends_on_the_seed(seed):
    assert make_token(seed) != make_token("other")
`,
    ),
  ),
  { branch: 'initials' },
  commit(
    'Fix initials of names with several spaces\n\nA name with two spaces in a row, or with blanks at its ends, raised an IndexError.',
    edit('wordsmith/text.py', 'name.split(" ")', 'name.split()'),
    append(
      'tests/test_text.py',
      `

def test_initials_ignore_extra_spaces():
    assert initials(" Ada  Lovelace ") == "AL"
`,
    ),
  ),
  { branch: 'main' },
  commit(
    'Improve wording of the module documentation strings',
    edit('wordsmith/table.py', 'as lines, columns padded', 'as lines of text, columns padded'),
  ),
  {
    merge: 'initials',
    message:
      "Merge branch 'initials'\n\nFix the initials of names with several spaces: such a name raised an IndexError where the letters were expected.",
    files: {
      'wordsmith/table.py': files.get('wordsmith/table.py'),
      'wordsmith/text.py': files.get('wordsmith/text.py'),
    },
  },
  commit(
    'Fix negative durations, which were parsed as an error\n\nparse_duration("-5m") is a valid offset and must give -300; blanks around the text are no error either.',
    edit(
      'wordsmith/duration.py',
      'return int(text[:-1]) * UNITS[text[-1]]',
      'text = text.strip()\n    return int(text[:-1]) * UNITS[text[-1].lower()]',
    ),
    append(
      'tests/test_duration.py',
      `

def test_parse_ignores_blanks_and_case():
    assert parse_duration(" -5M ") == -300
`,
    ),
  ),
  {
    ...commit('Bump the build requirement from 68 to 69', edit('pyproject.toml', 'setuptools>=68', 'setuptools>=69')),
    author: { name: 'dependabot[bot]', email: 'support@example.com' },
  },
  commit(
    'Fix missing last column of uneven tables\n\nRows of different length lost the cells that the shortest row does not have.',
    edit('wordsmith/table.py', 'def render_table', 'from itertools import zip_longest\n\n\ndef render_table'),
    edit('wordsmith/table.py', 'in zip(*rows)]', 'in zip_longest(*rows, fillvalue="")]'),
    append(
      'tests/test_table.py',
      `

def test_uneven_rows_keep_every_cell():
    assert render_table([["a"], ["b", "c"]]).splitlines()[1] == "b  c"
`,
    ),
  ),
  commit('Fix a broken link in the introduction', edit('README.md', 'Small helpers', 'A few small helpers')),
]

export { steps }
