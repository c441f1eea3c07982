import { beforeAll, describe, expect, test } from 'vitest';
import { labelsOf } from '../../schema/index.js';
import { freshLook, type Look } from './project.js';

const MATHS = `export function add(a: number, b: number) { return a + b; }
export class Counter {
  constructor(public n: number) {}
  up() { return this.n++; }
}
export const LIMIT = 3;
`;

const CASES = `import { beforeEach, describe, expect, it, test } from 'vitest';
import { add, Counter, LIMIT } from '../src/maths.js';

function counter(): Counter {
  return new Counter(LIMIT);
}

describe('Counter', () => {
  beforeEach(() => { add(0, 0); });
  it('counts up', async () => {
    expect(counter().up()).toBe(1);
  });
  it('counts up', () => {});
  describe.each([1, 2])('from %s', (n) => {
    it.each([add(1, 1)])("isn't less", (more) => {
      const sum = () => add(n, more);
      expect(sum()).toBeGreaterThan(n);
    });
  });
});
test('names a limit', () => expect(LIMIT).toBe(3));
test('runs what it is handed', checked);
function checked() { add(1, 2); }
`;

describe('the tests of a TypeScript file', () => {
  let graph: Look;
  beforeAll(async () => {
    graph = await freshLook({
      'package.json': '{"name": "acme"}',
      'src/maths.ts': MATHS,
      'test/maths.test.ts': CASES,
      'src/no-test.ts': "import { it } from './maths.js';\nit('is no test', () => {});\n",
    });
  });
  const id = (name: string) => `test:test/maths.test.ts:${name}`;
  const testedBy = (name: string) =>
    graph.pairs('TESTS').flatMap((pair) => {
      const [from, to] = pair.split(' > ');
      return from === id(name) ? [to] : [];
    });

  test('are symbols of kind test, named by their titles and those of their suites', () => {
    expect(graph.ids('test')).toEqual([
      id('Counter.counts up'),
      id('Counter.counts up~2'),
      id("Counter.from %25s.isn't less"),
      id('names a limit'),
      id('runs what it is handed'),
    ]);
    expect(graph.node(id('Counter.counts up'))).toMatchObject({
      kind: 'test',
      name: 'counts up',
      qualified_name: 'acme/test/maths.test.Counter.counts up',
      start_line: 10,
      end_line: 12,
      signature: "it('counts up')",
      is_async: true,
      callable_kind: null,
      top_level: true,
    });
  });

  test('are contained in their file, and contain what their callbacks define', () => {
    expect(graph.edge('DEFINES', 'file:test/maths.test.ts', id('names a limit'))).toMatchObject({ line: 21 });
    expect(graph.pairs('CONTAINS')).toContain(
      `${id("Counter.from %25s.isn't less")} > fn:test/maths.test.ts:sum`,
    );
    expect(graph.node('fn:test/maths.test.ts:sum')).toMatchObject({ top_level: false });
  });

  test('are what calls in their callbacks, and nothing around them, comes from', () => {
    const callers = graph.pairs('CALLS').filter((pair) => pair.endsWith('> fn:src/maths.ts:add'));
    expect(callers).toEqual([
      // In a hook and in a table of cases.
      'file:test/maths.test.ts > fn:src/maths.ts:add',
      'fn:test/maths.test.ts:checked > fn:src/maths.ts:add',
      'fn:test/maths.test.ts:sum > fn:src/maths.ts:add',
    ]);
    expect(graph.pairs('CALLS')).toContain(`${id('Counter.counts up')} > fn:test/maths.test.ts:counter`);
  });

  test('lead to what they exercise: what they call, then what their helpers call, else what they name', () => {
    expect(testedBy('Counter.counts up')).toEqual(['cls:src/maths.ts:Counter', 'm:src/maths.ts:Counter.up']);
    expect(graph.edge('TESTS', id('Counter.counts up'), 'm:src/maths.ts:Counter.up')).toMatchObject({
      via: 'call',
      distance: 1,
      line: 11,
    });
    expect(graph.edge('TESTS', id('Counter.counts up'), 'cls:src/maths.ts:Counter')).toMatchObject({
      via: 'helper',
      distance: 2,
      line: 5,
      evidence: [{ line: 5, expression: 'new Counter(LIMIT)' }],
    });
    expect(testedBy("Counter.from %25s.isn't less")).toEqual(['fn:src/maths.ts:add']);
    expect(testedBy('runs what it is handed')).toEqual(['fn:src/maths.ts:add']);
    expect(graph.edge('TESTS', id('names a limit'), 'var:src/maths.ts:LIMIT')).toMatchObject({
      via: 'reference',
    });
    expect(testedBy('Counter.counts up~2')).toEqual([]);
  });
});

const BANK = `class Account:
    def __init__(self, start):
        self.balance = start

    def pay(self, amount):
        self.balance += amount


def audit(account):
    return account.balance
`;

const BANK_TESTS = `import unittest

import pytest

from bank import Account, audit


@pytest.fixture
def account():
    return Account(10)


def opened() -> Account:
    return Account(1)


def test_pays(account):
    audit(account)


async def test_helped():
    opened().pay(1)


@pytest.mark.usefixtures("account")
class TestAccount:
    def test_audits(self):
        audit(None)

    def helper(self):
        audit(1)


class Cases(unittest.TestCase):
    def setUp(self):
        self.account = Account(1)

    def test_pays(self):
        self.account.pay(2)
`;

describe('the tests of a Python file', () => {
  let graph: Look;
  beforeAll(async () => {
    graph = await freshLook({ 'bank.py': BANK, 'tests/test_bank.py': BANK_TESTS });
  });
  const edge = (from: string, to: string) =>
    graph.edge('TESTS', `${from.replace(':', ':tests/test_bank.py:')}`, `${to.replace(':', ':bank.py:')}`);

  test('are the functions and methods that pytest and unittest run, helpers and fixtures left out', () => {
    expect(graph.ids('test')).toEqual([
      'fn:tests/test_bank.py:test_helped',
      'fn:tests/test_bank.py:test_pays',
      'm:tests/test_bank.py:Cases.test_pays',
      'm:tests/test_bank.py:TestAccount.test_audits',
    ]);
    const props = graph.node('m:tests/test_bank.py:Cases.test_pays');
    expect(props).toMatchObject({
      kind: 'test',
      callable_kind: 'method',
      class_name: 'tests.test_bank.Cases',
    });
    expect(labelsOf({ type: 'Test', props: props ?? {} })).toEqual(['Symbol', 'Test', 'Method']);
    expect(graph.node('fn:tests/test_bank.py:test_helped')).toMatchObject({
      callable_kind: 'function',
      is_async: true,
    });
  });

  test('lead to what they call, and to what their helpers and fixtures call', () => {
    expect(edge('fn:test_pays', 'fn:audit')).toMatchObject({ via: 'call', distance: 1 });
    expect(edge('fn:test_pays', 'cls:Account')).toMatchObject({ via: 'helper', distance: 2 });
    expect(edge('fn:test_helped', 'm:Account.pay')).toMatchObject({ via: 'call' });
    expect(edge('fn:test_helped', 'cls:Account')).toMatchObject({ via: 'helper' });
    expect(edge('m:Cases.test_pays', 'm:Account.pay')).toMatchObject({ via: 'call' });
    expect(edge('m:Cases.test_pays', 'cls:Account')).toMatchObject({ via: 'helper' });
    expect(edge('m:TestAccount.test_audits', 'fn:audit')).toBeDefined();
    expect(graph.pairs('TESTS').filter((pair) => pair.includes('helper >'))).toEqual([]);
  });
});

describe('comments with a tag', () => {
  let graph: Look;
  beforeAll(async () => {
    graph = await freshLook({
      'src/list.tsx': `// TODO(#12): sort by price
// todo: is no tag, nor is // TODO further on
/* FIXME(ada): one
 * HACK(ABC-7): two
 */
export function List() {
  return <ul>{/* XXX */}</ul>;
}
`,
      'src/list.test.ts': "it('sorts', () => {\n  // TODO: write it\n});\n",
      'tool.py': 'def run():\n    """TODO: is documentation."""\n    # TODO(#12): sort by price\n',
    });
  });

  test('become concepts, labelled with their issue and without their person; one text is one concept', () => {
    expect(graph.ids('concept')).toEqual([
      'concept:todo:FIXME: one',
      'concept:todo:HACK(ABC-7): two',
      'concept:todo:TODO(#12): sort by price',
      'concept:todo:TODO: write it',
      'concept:todo:XXX',
    ]);
    expect(graph.pairs('FILE_MENTIONS_CONCEPT')).toContain(
      'file:tool.py > concept:todo:TODO(#12): sort by price',
    );
  });

  test('are implemented by the symbol around them, a test case too', () => {
    expect(graph.pairs('SYMBOL_IMPLEMENTS_CONCEPT')).toEqual([
      'fn:src/list.tsx:List > concept:todo:XXX',
      'fn:tool.py:run > concept:todo:TODO(#12): sort by price',
      'test:src/list.test.ts:sorts > concept:todo:TODO: write it',
    ]);
  });
});

test('a test tests the imported thing that it calls an unknown member of, as surely as the import is', async () => {
  const { edges } = await freshLook({
    'src/app.ts': "import { make } from 'web';\nexport const app = make();\n",
    'test/app.test.ts':
      "import { app } from '../src/app.js';\ntest('answers', () => { app.request('/'); });\n",
  });
  const told = edges.filter(({ kind }) => kind === 'TESTS');
  expect(told).toMatchObject([
    { to: 'var:src/app.ts:app', via: 'call', resolution: 'import', confidence: 0.95 },
  ]);
});
