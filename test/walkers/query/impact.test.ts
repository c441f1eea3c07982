import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { OpenGraph } from '../../../index.js';
import { QueryImpact } from '../../../walkers/query/query-impact.js';
import { QueryTests } from '../../../walkers/query/query-tests.js';
import { copies, index, indexed, open, scratch, write } from '../project.js';
import { worked } from '../worked.js';

const SHOP = {
  'package.json': '{ "devDependencies": { "vitest": "1" } }',
  'src/money.ts': `export interface Rate { part(price: number): number }
export function tax(price: number): number {
  return price * 0.2;
}
export class Flat implements Rate {
  part(price: number): number {
    return tax(price);
  }
}
`,
  'src/cart.ts': `import { tax, type Rate } from './money.js';
export class Cart {
  total(price: number, rate: Rate): number {
    return rate.part(price) + tax(price);
  }
}
export const pay = (cart: Cart) => cart.total(1, { part: () => 0 });
export const inline = [tax];
`,
  'src/cart.test.ts': `import { it } from 'vitest';
import { Cart } from './cart.js';
const make = () => new Cart();
it('adds', () => {
  make().total(10, null as never);
});
`,
  'src/money.test.ts': `import { it } from 'vitest';
import { tax } from './money.js';
it('has a rate', () => {
  tax(1);
});
`,
};
const shop = copies(SHOP, (graph) => index(graph));

async function openIndexed(root: string): Promise<OpenGraph> {
  const graph = await open(root);
  await index(graph);
  return graph;
}

const impact = async (graph: OpenGraph, input: object) =>
  (await graph.spawn(QueryImpact, null, input)).output.results;
const tests = async (graph: OpenGraph, input: object) =>
  (await graph.spawn(QueryTests, null, input)).output.results.tests;
const pathsOf = async (graph: OpenGraph, name: string) =>
  (await tests(graph, { name })).map(({ file_path, may }) => [file_path, may]);

test('names what depends on a symbol by relation and distance, tests apart', async () => {
  const { graph } = await shop();
  const { affected, counts, tests } = await impact(graph, { name: 'tax', max_depth: 2 });
  expect(
    affected.map(({ name, relation, distance, by, may }) => [name, relation, distance, by, may]),
  ).toEqual([
    ['total', 'caller', 1, undefined, undefined],
    ['part', 'caller', 1, undefined, undefined],
    ['inline', 'use', 1, undefined, undefined],
    ['pay', 'caller', 2, 'cart.Cart.total', undefined],
  ]);
  expect(counts).toEqual({ total: 4, caller: 3, use: 1 });
  expect(tests.map(({ file_path, distance }) => [file_path, distance])).toEqual([
    ['src/money.test.ts', 1],
    ['src/cart.test.ts', 2],
  ]);
});

test('goes on to implementations, to types and to calls through an interface', async () => {
  const { graph } = await shop();
  const of = async (name: string) =>
    (await impact(graph, { name, max_depth: 1 })).affected.map(({ name, relation, may }) => [
      name,
      relation,
      may,
    ]);
  expect(await of('Rate.part')).toEqual([
    ['total', 'caller', undefined],
    ['part', 'override', undefined],
    ['pay', 'use', undefined],
  ]);
  expect(await of('Rate')).toEqual(expect.arrayContaining([['Flat', 'implementation', undefined]]));
  expect(await of('Flat.part')).toEqual([['total', 'caller', true]]);
});

test('names the tests that come to a symbol with their path and the command that runs them', async () => {
  const { graph } = await shop();
  expect(await tests(graph, { name: 'tax' })).toEqual([
    {
      file_path: 'src/money.test.ts',
      distance: 1,
      tests: [{ name: 'has a rate', line: 3, distance: 1 }],
      test_count: 1,
      path: ['money.test.has a rate', 'money.tax'],
      command: 'npx vitest run src/money.test.ts',
    },
    expect.objectContaining({ path: ['cart.test.adds', 'cart.Cart.total', 'money.tax'], distance: 2 }),
  ]);
  expect((await tests(graph, { files: ['src/cart.ts'] })).map(({ file_path }) => file_path)).toEqual([
    'src/cart.test.ts',
  ]);
});

test('tests in Python come to what their fixtures make, and to what a framework calls of it', async () => {
  const { graph } = await indexed({
    'app.py': `class App:
    def __init__(self):
        pass

    def __call__(self):
        return self.answer()

    def answer(self):
        return 1
`,
    'tests/conftest.py':
      'import pytest\nfrom app import App\n\n\n@pytest.fixture\ndef app():\n    return App()\n',
    'tests/test_web.py': 'def test_it(app):\n    run(app)\n\n\ndef test_other():\n    pass\n',
  });
  expect(await tests(graph, { name: 'App.__init__' })).toMatchObject([
    { file_path: 'tests/test_web.py', distance: 2, test_count: 1 },
  ]);
  expect(await tests(graph, { name: 'App.answer' })).toMatchObject([
    { file_path: 'tests/test_web.py', may: true, test_count: 1 },
  ]);
});

test('tests come to what is passed, decorated with, kept in a variable, or one of several candidates', async () => {
  const { graph } = await indexed({
    'app.py': `def first(item):
    return item[0]

def checked(run):
    def wrapper(*given):
        return run(*given)
    return wrapper

class Codec:
    def dump(self, value):
        return value

class Loud(Codec):
    def dump(self, value):
        return value * 2

codec = Codec()

def listed(items):
    return sorted(items, key=first)

@checked
def served():
    return registry.use(codec)

class Cat:
    def go(self):
        return 1

class Dog:
    def go(self):
        return 2

def start(one: Cat | Dog):
    return one.go()

class Box:
    order = make(first)
`,
    'tests/test_list.py': 'from app import listed\n\ndef test_it():\n    listed([])\n',
    'tests/test_start.py': 'from app import Cat, start\n\ndef test_it():\n    start(Cat())\n',
    'tests/test_serve.py': 'from app import served\n\ndef test_it():\n    served()\n',
    'tests/test_box.py': 'from app import Box\n\ndef test_it():\n    Box.order\n',
  });
  const paths = (name: string) => pathsOf(graph, name);
  expect(await paths('first')).toEqual([
    ['tests/test_box.py', true],
    ['tests/test_list.py', true],
  ]);
  expect(await paths('checked.wrapper')).toEqual([['tests/test_serve.py', true]]);
  expect(await paths('Codec.dump')).toEqual([['tests/test_serve.py', true]]);
  expect(await paths('Cat.go')).toEqual([['tests/test_start.py', true]]);
});

test('a test surely comes to what it calls; farther off only where several do, and nothing overrides it', async () => {
  const called = (count: number, name: string) =>
    Array.from({ length: count }, (_, at) => `def test_${at}():\n    ${name}\n`).join('\n');
  const { graph } = await indexed({
    'app.py': `class Base:
    def run(self):
        return 1

class Derived(Base):
    def run(self):
        return 2

def near():
    return 1

def far():
    return near()

def rare(is_near: bool):
    if is_near:
        return near()

def over(one: Base):
    return one.run()
`,
    'tests/test_near.py': `from app import near\n\n${called(1, 'near()')}`,
    'tests/test_few.py': `from app import far\n\n${called(1, 'far()')}`,
    'tests/test_many.py': `from app import far\n\n${called(5, 'far()')}`,
    'tests/test_rare.py': `from app import rare\n\n${called(6, 'rare(False)')}`,
    'tests/test_over.py': `from app import over, Base\n\n${called(5, 'over(Base())')}`,
  });
  const paths = (name: string) => pathsOf(graph, name);
  expect(await paths('near')).toEqual([
    ['tests/test_near.py', undefined],
    ['tests/test_many.py', undefined],
    ['tests/test_rare.py', true],
    ['tests/test_few.py', true],
  ]);
  expect(await paths('over')).toEqual([['tests/test_over.py', undefined]]);
  expect(await paths('Base.run')).toEqual([['tests/test_over.py', true]]);
});

test('tests in Python are run by pytest or unittest, those of a package in their folder', async () => {
  const { graph } = await indexed({
    'a.py': 'def one():\n    return 1\n',
    'test_a.py': 'from a import one\n\ndef test_one():\n    assert one()\n',
    'tests/test_b.py':
      'import unittest\nfrom a import one\n\nclass T(unittest.TestCase):\n    def test_one(self):\n        one()\n',
    'packages/p/package.json': '{ "devDependencies": { "jest": "1" } }',
    "packages/p/b's.ts": 'export function two() {}\n',
    'packages/p/b.test.ts': "import { two } from \"./b's\";\ntest('two', () => two());\n",
  });
  expect((await tests(graph, { name: 'one' })).map(({ command }) => command)).toEqual([
    'python -m pytest test_a.py',
    'python -m unittest tests/test_b.py',
  ]);
  expect((await tests(graph, { name: 'two' })).map(({ command }) => command)).toEqual([
    'cd packages/p && npx jest b.test.ts',
  ]);
});

function git(root: string, ...args: string[]): void {
  const identity = ['-c', 'user.name=n', '-c', 'user.email=e@x', '-c', 'commit.gpgsign=false'];
  execFileSync('git', ['-C', root, ...identity, ...args], { stdio: 'pipe' });
}

/** Commits all that is in a folder, which becomes a repository. */
function commit(root: string, message: string): void {
  git(root, 'init', '--quiet', '--initial-branch=main');
  git(root, 'add', '--all');
  git(root, 'commit', '--quiet', '--message', message);
}

test('a diff is what its lines touch now, and what it removed', async () => {
  const root = write({ ...SHOP, 'src/old.ts': 'export function gone() {}\nexport function stays() {}\n' });
  commit(root, 'one');
  git(root, 'checkout', '--quiet', '-b', 'work');
  write({ 'src/money.ts': SHOP['src/money.ts'].replace('0.2', '0.3') }, root);
  write(
    { 'src/old.ts': 'export function stays() {}\n', 'src/uses.ts': 'export const u = () => gone();\n' },
    root,
  );
  commit(root, 'two');
  // Uncommitted lines move what the branch changed, and are no part of it.
  write({ 'src/money.ts': `// a\n// b\n${SHOP['src/money.ts'].replace('0.2', '0.3')}` }, root);
  const graph = await openIndexed(root);
  const { changed, removed, affected } = await impact(graph, { diff: 'main...HEAD', max_depth: 1 });
  expect(changed.map(({ name }) => name).sort()).toEqual(['tax', 'u']);
  expect(removed).toEqual([{ name: 'gone', file_path: 'src/old.ts', line_start: 1 }]);
  expect(affected.map(({ name }) => name)).toEqual(expect.arrayContaining(['total', 'part']));
  expect((await tests(graph, { diff: 'main..HEAD' })).map(({ file_path }) => file_path)).toEqual([
    'src/money.test.ts',
    'src/cart.test.ts',
  ]);
  rmSync(join(root, 'src/money.test.ts'));
  const errors = ['none...HEAD', '--output=stolen', 'main..--upload-pack=x', ' ', 'main\0x'].map((diff) =>
    graph.spawn(QueryTests, null, { diff }).then(
      () => 'no error',
      ({ code }) => code,
    ),
  );
  expect(await Promise.all(errors)).toEqual([
    'REVISION_NOT_FOUND',
    'INVALID_INPUT',
    'INVALID_INPUT',
    'INVALID_INPUT',
    'INVALID_INPUT',
  ]);
});

test('what a shallow clone does not hold, and where there is no git, is said', async () => {
  const { graph } = await shop();
  await expect(graph.spawn(QueryImpact, null, { diff: 'main...HEAD' })).rejects.toMatchObject({
    code: 'GIT_FAILED',
  });
  const root = write({ 'a.ts': 'export const a = 1;\n' });
  for (const text of ['1', '2']) {
    write({ 'a.ts': `export const a = ${text};\n` }, root);
    commit(root, text);
  }
  const clone = join(scratch(), 'clone');
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, clone], { stdio: 'pipe' });
  const shallow = await open(clone);
  await index(shallow);
  await expect(shallow.spawn(QueryImpact, null, { diff: 'HEAD~1..HEAD' })).rejects.toMatchObject({
    code: 'REVISION_NOT_FOUND',
    suggestion: expect.stringContaining('--unshallow'),
  });
});

test('a name that is not there, none and two subjects are errors', async () => {
  const { graph } = await shop();
  await expect(impact(graph, { name: 'taxx' })).rejects.toMatchObject({ code: 'NODE_NOT_FOUND' });
  await expect(impact(graph, {})).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  await expect(tests(graph, { name: 'tax', files: ['src/cart.ts'] })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  });
});

test('a task is answered as by trace_impact; past failures of a symbol are named', async () => {
  const { graph, mended } = await worked();
  const { trace } = await impact(graph, { name: mended });
  expect(trace?.symbols.map(({ name }) => name)).toEqual(['tax']);
  const { output } = await graph.spawn(QueryImpact, null, { name: 'tax', format: 'github' });
  expect(output.results.failures).toMatchObject([
    { resolved: expect.any(Boolean), message: expect.any(String) },
  ]);
  const shown = QueryImpact.markdown?.(output as never) ?? '';
  expect(shown).toContain('| 1 | `Cart.total` | caller | src/cart.ts:3 |');
  expect(shown).toContain('```sh\nnpx vitest run src/cart.test.ts\n```');
});

test('a diff names who imports or uses what it removed or renamed, and runs no filter of the repository', async () => {
  const root = write({
    ...SHOP,
    'src/rates.ts': 'export const rates = [1];\n',
    'src/list.ts': "import { rates } from './rates.js';\nexport const list = () => rates;\n",
    '.gitattributes': '*.ts filter=trap\n',
  });
  const trap = join(root, 'trapped');
  commit(root, 'one');
  git(root, 'mv', 'src/rates.ts', 'src/tariffs.ts');
  git(root, 'config', 'filter.trap.clean', `touch '${trap}'; cat`);
  write({ 'src/money.ts': SHOP['src/money.ts'].replaceAll('tax', 'levy') }, root);
  const graph = await openIndexed(root);
  const { removed, affected } = await impact(graph, { diff: 'HEAD', max_depth: 1 });
  expect(removed.map(({ name }) => name)).toEqual(expect.arrayContaining(['tax', 'rates.ts']));
  expect(affected.map(({ file_path, by }) => [file_path, by])).toEqual(
    expect.arrayContaining([
      ['src/list.ts', 'rates.ts'],
      ['src/cart.ts', 'tax'],
    ]),
  );
  expect((await tests(graph, { diff: 'HEAD' })).map(({ file_path }) => file_path)).toContain(
    'src/money.test.ts',
  );
  expect(existsSync(trap)).toBe(false);
});

test('overloads are one symbol, in what changed and in what is affected', async () => {
  const { graph } = await indexed({
    'types.py': `import typing as t


class Type:
    @t.overload
    def __call__(self, value: None) -> None: ...
    @t.overload
    def __call__(self, value: str) -> str: ...
    def __call__(self, value):
        return self.convert(value)

    def convert(self, value):
        return value


class Number(Type):
    @t.overload
    def __call__(self, value: None) -> None: ...
    @t.overload
    def __call__(self, value: str) -> str: ...
    def __call__(self, value):
        return 1
`,
    'rate.ts': `export interface Rate { share: number }
export function read(rate: Rate): number;
export function read(rate: Rate, more: string): string;
export function read(rate: Rate, more?: string): number | string {
  return more ?? rate.share;
}
`,
  });
  const rows = async (name: string) =>
    (await impact(graph, { name })).affected.map((row) => [row.qualified_name, row.line_start, row.relation]);
  expect(await rows('Type.convert')).toEqual([
    ['types.Type.__call__', 9, 'caller'],
    ['types.Number.__call__', 17, 'override'],
  ]);
  expect(await rows('Rate')).toEqual([['rate.read', 4, 'type']]);
  expect((await impact(graph, { name: 'Type.__call__' })).changed).toMatchObject([{ line_start: 9 }]);
});

test('a removed member is used where the receiver may be of its class; a removed overload is one symbol', async () => {
  const pipe = `import typing as t


class Pipe:
    def __init__(self):
        pass

    def drain(self):
        pass

    @t.overload
    def read(self, size: None) -> None: ...
    @t.overload
    def read(self, size: int) -> int: ...
    def read(self, size):
        return size


class Other:
    pass
`;
  const root = write({
    'pipe.py': pipe,
    'uses.py': `from pipe import Pipe, Other


class Heir(Pipe):
    def __init__(self):
        super().__init__()

    def own(self):
        def inner():
            return self.drain()
        return inner


class Stranger(Other):
    def __init__(self):
        super().__init__()

    def own(self):
        return self.drain()


def unknown(box):
    return box.drain()


def made():
    return Pipe().drain()


def other():
    return Other().drain()


def bare():
    return drain()


def text():
    return "".drain()
`,
  });
  commit(root, 'one');
  write({ 'pipe.py': 'class Pipe:\n    pass\n\n\nclass Other:\n    pass\n' }, root);
  const graph = await openIndexed(root);
  const { removed, affected } = await impact(graph, { diff: 'HEAD', max_depth: 1 });
  expect(removed.map(({ name }) => name)).toEqual(['Pipe.__init__', 'Pipe.drain', 'Pipe.read']);
  expect(
    affected
      .filter(({ by }) => by?.startsWith('Pipe.'))
      .map((row) => row.qualified_name)
      .sort(),
  ).toEqual(['uses.Heir.own.inner', 'uses.made', 'uses.unknown']);
});

test('a diff that touches no code says so', async () => {
  const root = write({ ...SHOP, 'README.md': '# Shop\n' });
  commit(root, 'one');
  const graph = await openIndexed(root);
  const says = async (said: string) => {
    for (const walker of [QueryImpact, QueryTests]) {
      const { output } = await graph.spawn(walker, null, { diff: 'HEAD' });
      expect(output.results).toMatchObject({ unchanged: said, tests: [] });
      expect(walker.markdown?.(output as never)).toBe(`${said}\n`);
    }
  };
  await says('Nothing changed in HEAD.');
  write({ 'README.md': '# The shop\n' }, root);
  await index(graph);
  await says('No code changed in HEAD.');
  write({ 'src/money.ts': SHOP['src/money.ts'].replace('0.2', '0.3') }, root);
  await index(graph);
  const { output } = await graph.spawn(QueryTests, null, { diff: 'HEAD' });
  expect(output.results).not.toHaveProperty('unchanged');
});

test.each([
  {
    language: 'Go',
    files: {
      'svc/go.mod': 'module example.com/svc\n\ngo 1.22\n',
      'svc/tax/tax.go': 'package tax\n\nfunc Of(n int) int { return n / 5 }\n',
      'svc/tax/tax_test.go':
        'package tax\n\nimport "testing"\n\nfunc TestOf(t *testing.T) {\n\tt.Run("none", func(t *testing.T) {\n\t\tOf(0)\n\t})\n\tOf(10)\n}\n',
    },
    name: 'Of',
    file: 'svc/tax/tax_test.go',
    command: "cd svc && go test -run '^(TestOf)$' ./tax",
  },
  {
    language: 'Go, benchmarks alone',
    files: {
      'go.mod': 'module example.com/svc\n\ngo 1.22\n',
      'tax/tax.go': 'package tax\n\nfunc Of(n int) int { return n / 5 }\n',
      'tax/tax_test.go':
        'package tax\n\nimport "testing"\n\nfunc BenchmarkOf(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tOf(i)\n\t}\n}\n',
    },
    name: 'Of',
    file: 'tax/tax_test.go',
    command: "go test -run '^$' -bench '^(BenchmarkOf)$' ./tax",
  },
  {
    language: 'Rust, where tests stand beside what they test',
    files: {
      'Cargo.toml': '[package]\nname = "shop"\nversion = "0.1.0"\n',
      'src/lib.rs':
        'pub fn of(n: i32) -> i32 {\n    n / 5\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn none() {\n        assert_eq!(of(0), 0);\n    }\n}\n',
    },
    name: 'of',
    file: 'src/lib.rs',
    command: 'cargo test none',
  },
  ...['', 'app/'].map((module) => ({
    language: `Java, Maven's wrapper in ${module || 'the root'}`,
    files: {
      mvnw: '#!/bin/sh\n',
      'pom.xml': '<project/>\n',
      [`${module}pom.xml`]: '<project/>\n',
      [`${module}src/main/java/shop/Tax.java`]:
        'package shop;\n\nclass Tax {\n  static int of(int n) {\n    return n / 5;\n  }\n}\n',
      [`${module}src/test/java/shop/TaxTest.java`]:
        'package shop;\n\nimport org.junit.jupiter.api.Test;\n\nclass TaxTest {\n  @Test\n  void none() {\n    Tax.of(0);\n  }\n}\n',
    },
    name: 'Tax.of',
    file: `${module}src/test/java/shop/TaxTest.java`,
    command: `./mvnw -q test ${module && '-pl app -am -Dsurefire.failIfNoSpecifiedTests=false '}-Dtest=TaxTest`,
  })),
  {
    language: 'Java, Maven',
    files: {
      'pom.xml': '<project/>\n',
      'src/main/java/shop/Tax.java':
        'package shop;\n\nclass Tax {\n  static int of(int n) {\n    return n / 5;\n  }\n}\n',
      'src/test/java/shop/TaxTest.java':
        'package shop;\n\nimport org.junit.jupiter.api.Test;\n\nclass TaxTest {\n  @Test\n  void none() {\n    Tax.of(0);\n  }\n}\n',
    },
    name: 'Tax.of',
    file: 'src/test/java/shop/TaxTest.java',
    command: 'mvn -q test -Dtest=TaxTest',
  },
  {
    language: 'Java, Gradle',
    files: {
      gradlew: '#!/bin/sh\n',
      'app/src/main/java/shop/Tax.java':
        'package shop;\n\nclass Tax {\n  static int of(int n) {\n    return n / 5;\n  }\n}\n',
      'app/src/test/java/shop/TaxTest.java':
        'package shop;\n\nimport org.junit.Test;\n\npublic class TaxTest {\n  @Test\n  public void none() {\n    Tax.of(0);\n  }\n}\n',
    },
    name: 'Tax.of',
    file: 'app/src/test/java/shop/TaxTest.java',
    command: "./gradlew :app:test --tests '*TaxTest'",
  },
])('names the command that runs tests: $language', async ({ files, name, file, command }) => {
  const graph = await openIndexed(write(files));
  expect(await tests(graph, { name })).toMatchObject([{ file_path: file, command }]);
});
