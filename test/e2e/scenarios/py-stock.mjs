import { edit, read, run, says, write } from './calls.mjs';

/*
 * A Python project, four sessions: a missing name and a failing assertion mended; another missing name, and an edit
 * that does not fit; the second session resumed, which meets the first one's failure again; a question about something else, on which nothing is given.
 */

const LEVELS = `"""How many of each item are there."""


class Levels:
    def __init__(self):
        self.counts = {}

    def add(self, item, count):
        self.counts[item] = self.counts.get(item, 0) + count

    def reserve(self, item, count):
        self.counts[item] = self.counts.get(item, 0) - count
        return self.counts[item]
`;

const RESERVE = `        self.counts[item] = self.counts.get(item, 0) - count
        return self.counts[item]
`;

const OUT_OF_STOCK = `class OutOfStock(Exception):
    """More was asked for than there is."""


class Levels:
`;

const CHECKED = (sign) => `        if self.counts.get(item, 0) ${sign} count:
            raise OutOfStock(item)
${RESERVE}`;

const TEST = `import unittest

from stock.levels import Levels, OutOfStock


class LevelsTest(unittest.TestCase):
    def test_reserving_all_is_allowed(self):
        levels = Levels()
        levels.add('apple', 3)
        self.assertEqual(levels.reserve('apple', 3), 0)

    def test_reserving_more_is_refused(self):
        levels = Levels()
        levels.add('apple', 3)
        with self.assertRaises(OutOfStock):
            levels.reserve('apple', 4)
`;

const REPORT_TEST = `import unittest

from stock.report import EmptyReport, report


class ReportTest(unittest.TestCase):
    def test_nothing_to_report(self):
        with self.assertRaises(EmptyReport):
            report({})
`;

const SUITE = 'python3 -m unittest discover -s tests -t .';

export default {
  name: 'py-stock',
  project: {
    files: {
      'pyproject.toml': '[project]\nname = "stock"\nversion = "0.1.0"\n',
      '.gitignore': '__pycache__/\n',
      'stock/__init__.py': '',
      'stock/levels.py': LEVELS,
      'stock/report.py': `from stock.levels import Levels


def report(counts):
    levels = Levels()
    for item, count in counts.items():
        levels.add(item, count)
    return ', '.join(f'{item}: {count}' for item, count in sorted(levels.counts.items()))
`,
      'tests/__init__.py': '',
      'tests/test_levels.py': TEST,
    },
  },
  sessions: [
    {
      prompt:
        'Levels.reserve in stock/levels.py lets a level go below zero. It should raise OutOfStock; tests/test_levels.py says how.',
      steps: [
        says('The code first.', read('stock/levels.py'), read('tests/test_levels.py')),
        says('What fails?', run(SUITE)),
        says('The exception is missing.', edit('stock/levels.py', 'class Levels:\n', OUT_OF_STOCK)),
        says('And the check.', edit('stock/levels.py', RESERVE, CHECKED('<='))),
        says('', run(SUITE)),
        says('All of it may be reserved.', edit('stock/levels.py', '0) <= count', '0) < count')),
        says('', run(SUITE)),
        says('reserve raises OutOfStock when more is asked for than there is; all tests pass.'),
      ],
    },
    {
      prompt:
        'report() in stock/report.py should raise EmptyReport when there is nothing to report. Write a test, too.',
      steps: [
        says('', read('stock/report.py')),
        says('The test first.', write('tests/test_report.py', REPORT_TEST)),
        says('', run(SUITE)),
        says('', edit('stock/report.py', 'def report(counts, strict):', 'def report(counts):')),
        says(
          'The exception, and the check.',
          edit(
            'stock/report.py',
            'def report(counts):\n',
            'class EmptyReport(Exception):\n    pass\n\n\ndef report(counts):\n    if not counts:\n        raise EmptyReport\n',
          ),
        ),
        says('', run(SUITE)),
        says('report() raises EmptyReport; all tests pass.'),
      ],
    },
    {
      prompt: 'Now Levels.reserve in stock/levels.py should refuse a negative count, too.',
      resume: true,
      steps: [
        says('', read('stock/levels.py')),
        says('', edit('stock/levels.py', '0) < count:', '0) <= count or count < 0:')),
        says('That failed before.', run(SUITE)),
        says('', edit('stock/levels.py', '0) <= count or', '0) < count or')),
        says('', run(SUITE)),
        says('Negative counts are refused.'),
      ],
      expect: {
        context: [
          { match: 'reserve|levels\\.py', before_step: 2, why: 'what the first session did here' },
          {
            match: 'fixed in',
            event: 'PostToolUse|PostToolUseFailure',
            why: 'this test failed for the same reason before',
          },
        ],
      },
    },
    {
      prompt: 'Which license fits a small library best?',
      steps: [says('MIT is the usual choice.')],
      expect: { no_context: [{ match: 'OutOfStock|EmptyReport' }] },
    },
  ],
};
