import type { Requirement } from './requirement.ts'

/** Linters, formatters, documentation and release tools: often in the same group as the test libraries. */
const tools = new Set([
  ...['autoflake', 'autopep8', 'bandit', 'black', 'blacken-docs', 'codespell', 'docformatter', 'flake8', 'interrogate'],
  ...[
    'isort',
    'mypy',
    'pre-commit',
    'pre-commit-uv',
    'pycodestyle',
    'pydocstyle',
    'pyflakes',
    'pylint',
    'pyright',
    'pyupgrade',
  ],
  ...['ruff', 'safety', 'ty', 'vulture', 'yamllint', 'yapf'],
  ...['furo', 'mkdocs', 'mkdocs-material', 'mkdocstrings', 'mkdocstrings-python', 'myst-parser', 'pdoc', 'sphinx'],
  ...[
    'build',
    'bump2version',
    'bumpversion',
    'commitizen',
    'hatch',
    'nox',
    'pip-tools',
    'poetry',
    'setuptools-git-versioning',
  ],
  ...[
    'towncrier',
    'tox',
    'tox-uv',
    'twine',
    'zest-releaser',
    'check-manifest',
    'ipdb',
    'ipython',
    'jupyter',
    'notebook',
  ],
])

/** What tests may need: for the recipe that is tried after the complete one did not build. */
export function withoutTools(requirements: readonly Requirement[]): Requirement[] {
  return requirements.filter(
    ({ name }) => !tools.has(name) && !/^(flake8|sphinx|sphinxcontrib|types|mkdocs)-/.test(name),
  )
}
