import type { LanguageSample } from './index.ts'

const area = (body: string) => `def area(width, height):\n    return ${body}\n`
const before = area('width * height')
const after = area('width * height if min(width, height) >= 0 else None')
const subject = 'Fix the area of a shape with a negative side'
const commits = {
  start: 'Start the shapes module',
  fix: `${subject}\n\nA negative side gave a negative area; it is an error now, as for any shape that cannot be.`,
}

const cases = (module: string, base: string, from: string, more: string) => `${base}
from ${from} import area


class AreaTest(${module}):
    def test_plain(self):
        self.assertEqual(area(1, 2), 2)

    def test_plain_too(self):
        for side in (1, 2):
            with self.subTest(side=side):
                self.assertEqual(area(side, side), side * side)
${more}

class OtherTest(${module}):
    def test_plain(self):
        self.assertEqual(area(2, 2), 4)
`
const negative = `
    def test_negative(self):
        self.assertIsNone(area(-1, 2))
`

const unit = (more = '') => cases('unittest.TestCase', 'import unittest\n', 'shapes', more)

/** The standard library's own runner. */
export const unittest: LanguageSample = {
  language: 'python',
  runner: 'unittest',
  image: 'lab/python',
  testCommand: 'python3 -m unittest',
  history: [
    {
      commit: commits.start,
      files: {
        'setup.py': 'from setuptools import setup\n\nsetup(name="shapes", version="1", py_modules=["shapes"])\n',
        'shapes.py': before,
        'tests/__init__.py': '',
        'tests/test_shapes.py': unit(),
      },
    },
    { commit: commits.fix, files: { 'shapes.py': after, 'tests/test_shapes.py': unit(negative) } },
  ],
  expected: {
    [subject]: {
      failToPass: ['tests.test_shapes.AreaTest.test_negative'],
      keeps: ['tests.test_shapes.AreaTest.test_plain', 'tests.test_shapes.OtherTest.test_plain'],
    },
  },
}

const settings = `SECRET_KEY = "none"
INSTALLED_APPS = ["shapes"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
USE_TZ = True
`
const manage = `import os
import sys

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "site_settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)
`
const djangoTests = (more = '') => cases('SimpleTestCase', 'from django.test import SimpleTestCase\n', 'shapes.areas', more)

/** Django's own runner. */
export const django: LanguageSample = {
  language: 'python',
  runner: 'django',
  image: 'lab/python',
  history: [
    {
      commit: commits.start,
      files: {
        'requirements.txt': 'django>=5,<6\n',
        'manage.py': manage,
        'site_settings.py': settings,
        'shapes/__init__.py': '',
        'shapes/areas.py': before,
        'shapes/tests.py': djangoTests(),
      },
    },
    { commit: commits.fix, files: { 'shapes/areas.py': after, 'shapes/tests.py': djangoTests(negative) } },
  ],
  expected: {
    [subject]: {
      failToPass: ['shapes.tests.AreaTest.test_negative'],
      keeps: ['shapes.tests.AreaTest.test_plain', 'shapes.tests.OtherTest.test_plain'],
    },
  },
}
