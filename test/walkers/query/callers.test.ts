import { describe, expect, test } from 'vitest';
import type { OpenGraph } from '../../../host/index.js';
import type { CallersOutput } from '../../../walkers/query/query-callers.js';
import type { TestsOutput } from '../../../walkers/query/query-tests.js';
import { index, indexed, write } from '../project.js';
import { asked, figures, PYTHON, TYPESCRIPT } from './shops.js';

const callers = (graph: OpenGraph, function_name: string, input: object = {}) =>
  asked<CallersOutput>(graph, 'query_callers', { function_name, ...input });
const names = (rows: readonly { qualified_name: string }[]) => rows.map((row) => row.qualified_name);
const callerNames = async (...question: Parameters<typeof callers>) =>
  names((await callers(...question)).body.results.callers);

describe('callers', () => {
  test('are rows in the shape of the interface, with the six figures', async () => {
    const { graph } = await indexed(PYTHON);
    const { body } = await callers(graph, 'auth.utils.validate_token');
    expect(body).toMatchObject({
      query: 'Callers of auth.utils.validate_token',
      results: { call_chains: null },
    });
    expect(body.results.callers).toEqual([
      {
        id: 'm:src/auth/services.py:UserService.login',
        kind: 'method',
        qualified_name: 'auth.services.UserService.login',
        name: 'login',
        file_path: 'src/auth/services.py',
        line_start: 19,
        line_end: 21,
        decorators: [],
        class_name: 'auth.services.UserService',
        calls: [{ line: 21, text: 'return validate_token(hash_password(name))' }],
      },
    ]);
    expect(body.metadata).toEqual(figures(1, 1));
    expect(Object.keys(body.metadata)).toHaveLength(6);
  });

  test('are likely where types alone say so, or a base is called; else certain, which is not said', async () => {
    const { graph } = await indexed(TYPESCRIPT);
    const sure = async (name: string) =>
      (await callers(graph, name)).body.results.callers.map(
        (row) => `${row.name} ${row.certainty ?? 'certain'}`,
      );
    expect(await sure('Money.plus')).toEqual(['total likely', 'flip likely']);
    expect(await sure('Money')).toEqual(['total certain', 'plus certain']);
    const pathless = (await callers(graph, 'Money.plus', { include_paths: false })).body.results.callers;
    expect(pathless.map(({ certainty }) => certainty)).toEqual([undefined, undefined]);
  });

  test('come nearest first, each with a shortest chain that ends at what was asked about', async () => {
    const { graph } = await indexed(PYTHON);
    const { body } = await callers(graph, 'hash_password', { max_depth: 3 });
    expect(body.results.call_chains).toEqual([
      ['auth.services.pong', 'auth.utils.hash_password'],
      ['auth.utils.validate_token', 'auth.utils.hash_password'],
      ['auth.services.UserService.login', 'auth.utils.hash_password'],
      ['app.start', 'auth.services.UserService.login', 'auth.utils.hash_password'],
      ['auth.services.ping', 'auth.services.pong', 'auth.utils.hash_password'],
      ['app', 'auth.services.ping', 'auth.services.pong', 'auth.utils.hash_password'],
      ['app.main', 'app.start', 'auth.services.UserService.login', 'auth.utils.hash_password'],
    ]);
    expect(names(body.results.callers)).toEqual(body.results.call_chains?.map(([first]) => first));
  });

  test('at module level are the module itself', async () => {
    const { graph } = await indexed(PYTHON);
    const { body } = await callers(graph, 'make');
    expect(body.results.callers).toMatchObject([
      {
        kind: 'module',
        qualified_name: 'app',
        file_path: 'src/app.py',
        line_start: 1,
        line_end: 13,
        name: 'app',
      },
    ]);
  });

  test('of a function that calls itself are itself, of two that call each other the other and, farther away, itself', async () => {
    const { graph } = await indexed(PYTHON);
    expect(await callerNames(graph, 'countdown')).toEqual(['auth.services.countdown']);
    expect(await callerNames(graph, 'ping')).toEqual(['app', 'auth.services.pong']);
    const { body } = await callers(graph, 'ping', { max_depth: 5 });
    expect(names(body.results.callers)).toEqual(['app', 'auth.services.pong', 'auth.services.ping']);
    expect(body.results.call_chains?.at(-1)).toEqual([
      'auth.services.ping',
      'auth.services.pong',
      'auth.services.ping',
    ]);
  });

  test('of a class are those who make one, whether or not its constructor is written', async () => {
    const { graph } = await indexed(PYTHON);
    expect(await callerNames(graph, 'Plain')).toEqual(['auth.services.make']);
    expect(await callerNames(graph, 'UserService')).toEqual(['app.start', 'auth.services.make']);
    const script = await indexed(TYPESCRIPT);
    expect(await callerNames(script.graph, 'Purse')).toEqual(['shop/cart.total']);
    expect(await callerNames(script.graph, 'Money')).toContain('shop/money.Money.plus');
  });

  test('of a method are found through inheritance', async () => {
    const { graph } = await indexed(PYTHON);
    expect(await callerNames(graph, 'Base.log')).toEqual([
      'auth.services.make',
      'auth.services.UserService.login',
    ]);
    const script = await indexed(TYPESCRIPT);
    expect(await callerNames(script.graph, 'Money.plus')).toEqual([
      'shop/cart.total',
      'shop/money.Coin.flip',
    ]);
  });

  test('of a module call what it defines', async () => {
    const { graph } = await indexed(PYTHON);
    for (const name of ['src/auth/utils.py', 'src/auth/utils', 'auth.utils', 'file:src/auth/utils.py'])
      expect(await callerNames(graph, name), name).toEqual([
        'auth.services.pong',
        'auth.utils.validate_token',
        'auth.services.UserService.login',
      ]);
  });

  test('of what is outside the project are known, too', async () => {
    const { graph } = await indexed(PYTHON);
    const { body } = await callers(graph, 'os.environ.get', { max_depth: 2 });
    expect(body.results.call_chains).toEqual([
      ['auth.utils.validate_token', 'os.environ.get'],
      ['auth.services.UserService.login', 'auth.utils.validate_token', 'os.environ.get'],
    ]);
  });

  test('that may be more are counted by what is written: once, however many definitions it may mean', async () => {
    const { graph } = await indexed({
      'a.py':
        'import sys\nif sys.argv:\n    def cond(): pass\nelse:\n    def cond(): return 1\n\ndef use():\n    cond()\n',
    });
    expect((await callers(graph, 'cond')).body).toMatchObject({
      results: { callers: [] },
      state: { unresolved: 1 },
    });
    const { body } = await asked(graph, 'query_call_graph', { entry_point: 'use' });
    expect(body).toMatchObject({ results: { edges: [] }, state: { unresolved: 1 } });
  });

  test('of a package that is called are not those of an unknown method of its name', async () => {
    const { graph } = await indexed({
      'a.js':
        "const send = require('send');\nfunction pipe(path) { send(path); }\nfunction answer(res) { res.send(1); }\n",
      'b.js': 'const res = {};\nres.send = function (body) {};\nmodule.exports = res;\n',
    });
    const { body } = await callers(graph, 'res.send');
    expect(body).toMatchObject({ results: { callers: [] }, state: { unresolved: 1 } });
    const outside = (await callers(graph, 'sym:send.default')).body;
    expect(outside).toMatchObject({ results: { callers: [{ name: 'pipe' }] }, state: { unresolved: 0 } });
  });

  test('name references that are no calls, always', async () => {
    const { graph } = await indexed({
      'a.py':
        'def on_end(): pass\n\ndef go():\n    on_end()\n    return register(on_end)\n\ndef register(one): return one\n\ndef unused(): pass\n',
      'tests/test_a.py': 'from a import unused\nHANDLERS = [unused]\n',
    });
    const said =
      'Also referenced once without a call, as by go in a.py (pass): `query_references` lists them.';
    const handed = await callers(graph, 'on_end');
    expect(names(handed.body.results.callers)).toEqual(['a.go']);
    expect(handed.body.state.cut).toEqual([said]);
    expect(handed.markdown).toContain(said);
    const none = await callers(graph, 'unused');
    expect(none.body).toMatchObject({
      results: { callers: [] },
      state: { cut: [expect.stringContaining('as by tests/test_a.py (read)')] },
    });
    const plain = await callers(graph, 'on_end', { include_paths: false });
    expect(plain.body.state.cut).toEqual([
      'Also referenced once without a call: `query_references` lists them.',
    ]);
  });

  test('that are none say how many calls of that name lead nowhere known', async () => {
    const { graph } = await indexed(PYTHON);
    const { body, markdown } = await callers(graph, 'UserService.version');
    expect(body).toMatchObject({ results: { callers: [] }, state: { unresolved: 0 } });
    expect(markdown).toBe(
      'Callers of UserService.version (`auth.services.UserService.version` method, src/auth/services.py:16): none are known.\n',
    );
    const login = await callers(graph, 'UserService.login');
    expect(login.body.state.unresolved).toBe(1);
    expect(login.markdown).toBe(
      'Callers of UserService.login (`auth.services.UserService.login` method, src/auth/services.py:19): 1 caller. 1 unresolved call of that name may be more.\n\n- `start` function, src/app.py:7\n  9: `return UserService(None).login("root")`\n\n### May be calls\n- `app.start`, src/app.py:8: `box.login("who knows")` (the type of its receiver is not known)\n',
    );
    expect(login.body.results.may_call).toEqual([
      {
        caller: 'app.start',
        file_path: 'src/app.py',
        calls: [{ line: 8, text: 'box.login("who knows")' }],
        cause: 'the type of its receiver is not known',
      },
    ]);
  });

  test('that are no facts are listed with every line, and paged', async () => {
    const uses = Array.from({ length: 23 }, (_, at) => `def use_${at}(box):\n    box.go(1)\n    box.go(2)\n`);
    const { graph } = await indexed({
      'a.py': 'class A:\n    def go(self, n):\n        pass\n',
      'use.py': uses.join('\n'),
    });
    const pages: string[] = [];
    let cursor: string | undefined;
    for (const cut of [
      'The first 10 of 23',
      'Unresolved calls 11 to 20 of 23',
      'Unresolved calls 21 to 23 of 23',
    ]) {
      const { body, markdown } = await callers(graph, 'A.go', cursor === undefined ? {} : { cursor });
      expect(body.state).toMatchObject({ unresolved: 23, cut: [expect.stringContaining(cut)] });
      pages.push(...(body.results.may_call ?? []).map(({ caller }) => caller));
      expect(body.results.may_call?.[0]?.calls?.map(({ text }) => text)).toEqual(['box.go(1)', 'box.go(2)']);
      expect(markdown).toMatch(
        /- `use\.use_\d+`, use\.py \(the type .*\)\n {2}\d+: `box\.go\(1\)`\n {2}\d+: `box\.go\(2\)`\n/,
      );
      ({ cursor } = body.state as { cursor?: string });
    }
    expect(cursor).toBeUndefined();
    expect(new Set(pages).size).toBe(23);
    const few = await callers(graph, 'A.go', { max_tokens: 200 });
    expect(few.body.state.cut).toEqual([
      expect.stringMatching(/^(?:None|The first(?: \d)?) of 23 unresolved calls/),
    ]);
  });
});

test('callers of a method that a computed name may reach are the places that compute it, and tests reach it so', async () => {
  const { graph } = await indexed({
    'visitor.py':
      'class Visitor:\n    def visit(self, node):\n        return getattr(self, f"visit_{node.kind}")(node)\n',
    'printer.py':
      'from visitor import Visitor\n\nclass Printer(Visitor):\n    def visit_name(self, node):\n        return node.id\n',
    'tests/test_printer.py': 'from printer import Printer\n\ndef test_prints():\n    Printer().visit(None)\n',
  });
  const { body } = await callers(graph, 'Printer.visit_name');
  expect(body.results).toMatchObject({
    callers: [],
    may_call: [
      {
        caller: 'visitor.Visitor.visit',
        file_path: 'visitor.py',
        calls: [{ line: 3, text: 'getattr(self, f"visit_{node.kind}")' }],
        cause: 'one of several that it may call',
      },
    ],
  });
  const tests = await asked<TestsOutput>(graph, 'query_tests', { name: 'Printer.visit_name' });
  expect(tests.body.results.tests).toMatchObject([
    {
      file_path: 'tests/test_printer.py',
      may: true,
      path: ['tests.test_printer.test_prints', 'visitor.Visitor.visit', 'printer.Printer.visit_name'],
    },
  ]);
});

describe('callers through a base class or an interface (X-42)', () => {
  const SCRIPT = {
    'a.ts': `export interface Shape { area(): number }
export class Base {
  constructor(public n: number) {}
  draw(): string { return 'b'; }
  log() { return this.draw(); }
}
export class Derived extends Base {
  draw(): string { return super.draw() + 'd'; }
}
export class Deeper extends Derived {}
export class Own extends Base {
  constructor() { super(1); }
}
class Mixin {
  area() { return 3; }
}
export class Both extends Mixin implements Shape {}
`,
    'b.ts': `import { Base, Deeper, Derived, Own, Shape } from './a';
export function useBase(b: Base) { return b.draw(); }
export function useBoth(b: Base, d: Derived) {
  b.draw();
  return d.draw();
}
export function useShape(s: Shape) { return s.area(); }
export const one = () => new Deeper(1);
export const two = () => new Own();
`,
  };

  test('are marked with what the call names, a call of the base itself left out', async () => {
    const { graph } = await indexed(SCRIPT);
    const { body, markdown } = await callers(graph, 'Derived.draw');
    expect(body.results.callers.map(({ name, via, calls }) => [name, via, calls])).toEqual([
      [
        'useBoth',
        undefined,
        [
          { line: 4, text: 'b.draw();', via: 'a.Base.draw' },
          { line: 5, text: 'return d.draw();' },
        ],
      ],
      ['useBase', 'a.Base.draw', [expect.objectContaining({ line: 2 })]],
      ['log', 'a.Base.draw', [{ line: 5, text: 'log() { return this.draw(); }' }]],
    ]);
    expect(markdown).toContain('- `useBase` function, b.ts:2 (via `a.Base.draw`)\n');
    expect(markdown).toContain('  4: `b.draw();` (via `a.Base.draw`)\n');
    const base = await callers(graph, 'Base.draw');
    expect(base.body.results.callers.map(({ via }) => via)).toEqual(
      base.body.results.callers.map(() => undefined),
    );
  });

  test('are found where a derived class inherits what the interface promises', async () => {
    const { graph } = await indexed(SCRIPT);
    const { body } = await callers(graph, 'Mixin.area');
    expect(body.results.callers).toMatchObject([{ name: 'useShape', via: 'a.Shape.area' }]);
  });

  test('have chains that lead from the caller to the member that runs', async () => {
    const { graph } = await indexed({
      ...SCRIPT,
      'c.ts':
        "import { useShape } from './b';\nimport { Both } from './a';\nexport function top() { return useShape(new Both()); }\n",
    });
    const { body } = await callers(graph, 'Mixin.area', { max_depth: 2 });
    expect(body.results.call_chains).toEqual([
      ['b.useShape', 'a.Mixin.area'],
      ['c.top', 'b.useShape', 'a.Mixin.area'],
    ]);
  });

  test('of a constructor make derived classes that write none', async () => {
    const { graph } = await indexed(SCRIPT);
    const { body } = await callers(graph, 'Base.constructor');
    const made = body.results.callers.map(({ qualified_name, via }) => [qualified_name, via]);
    expect(made).toContainEqual(['b.one', 'a.Deeper']);
    expect(made.map(([name]) => name)).not.toContain('b.two');
  });

  test("follow Python's order of bases", async () => {
    const { graph } = await indexed({
      'a.py': `class A:
    def __init__(self): pass
    def run(self): return 1
    def go(self): return self.run()

class Late:
    def run(self): return 2

class Early:
    def run(self): return 3

class Both(Late, Early):
    pass

class B(A):
    def run(self): return super().run()

class C(A):
    def run(self): return A.run(self)

def use(a: A): return a.run()
def early(e: Early): return e.run()
def make(): return B()
`,
    });
    const rows = async (name: string) =>
      (await callers(graph, name)).body.results.callers.map((row) => [row.name, row.via]);
    expect(await rows('B.run')).toEqual([
      ['use', 'a.A.run'],
      ['go', 'a.A.run'],
    ]);
    expect(await rows('Late.run')).toEqual([['early', 'a.Early.run']]);
    expect(await rows('A.__init__')).toEqual([['make', 'a.B']]);
  });
});

describe('callers in tests', () => {
  const TESTED = {
    'a.py': 'def run():\n    pass\n\n\ndef go():\n    run()\n',
    'tests/test_a.py':
      'from a import run\n\n\ndef helper():\n    run()\n\n\ndef test_one():\n    run()\n    run()\n    helper()\n',
    'tests/test_b.py': 'from a import run\nrun()\n',
  };

  test('are a row per file with its lines, below production code, and counted as callers', async () => {
    const { graph } = await indexed(TESTED);
    const { body, markdown } = await callers(graph, 'run');
    expect(names(body.results.callers)).toEqual(['a.go']);
    expect(body.results.tests).toEqual([
      { file_path: 'tests/test_b.py', callers: 1, lines: [2] },
      { file_path: 'tests/test_a.py', callers: 2, lines: [5, 9, 10] },
    ]);
    expect(body.metadata).toMatchObject({ row_count: 4, total_count: 4, truncated: false });
    expect(markdown).toContain('Callers of run (`a.run` function, a.py:1): 4 callers, 3 in tests.');
    expect(markdown).toContain(
      '\n### Tests\n- tests/test_b.py: 1 caller at 2\n- tests/test_a.py: 2 callers at 5, 9, 10\n',
    );
  });

  test('are unfolded where somebody asks for them, or asks about tests alone', async () => {
    const { graph } = await indexed(TESTED);
    const unfolded = (await callers(graph, 'run', { tests: true })).body.results;
    expect(unfolded).not.toHaveProperty('tests');
    expect(names(unfolded.callers)).toEqual([
      'a.go',
      'tests.test_b',
      'tests.test_a.helper',
      'tests.test_a.test_one',
    ]);
    const inTests = (await callers(graph, 'run', { scope: 'tests/test_a.py' })).body.results;
    expect(names(inTests.callers)).toEqual(['tests.test_a.helper', 'tests.test_a.test_one']);
    const helper = (await callers(graph, 'helper')).body.results;
    expect(names(helper.callers)).toEqual(['tests.test_a.test_one']);
  });
});

describe('names', () => {
  test('that lead to several give all their callers, and say so', async () => {
    const { graph } = await indexed(TYPESCRIPT);
    const { body, markdown } = await callers(graph, 'format');
    expect(names(body.results.callers)).toEqual(['shop/cart.load', 'shop/cart.render', 'shop/print.print']);
    expect(body.state.cut).toEqual([
      "'format' leads to 2: shop/money.format (src/money.ts:20), shop/print.format (src/print.ts:3); qualify it.",
    ]);
    expect(markdown).toContain('qualify it.');
    const one = await callers(graph, 'print.format');
    expect(names(one.body.results.callers)).toEqual(['shop/print.print']);
    expect(one.body.state.cut).toEqual([]);
  });

  test('of a function are also those of variables and properties that are called, but of no others', async () => {
    const { graph } = await indexed({
      'src/app.ts': `type Handler = (path: string) => void;
export class App {
  get!: Handler;
}
export class Cache {
  get: string = '';
}
export function get() {}
`,
      'src/main.ts': `import { App, get } from './app';
export function run(app: App) {
  app.get('/');
}
export function load() {
  get();
}
`,
    });
    const { body } = await callers(graph, 'get');
    expect(names(body.results.targets ?? [])).toEqual(['app.get', 'app.App.get']);
    expect(names(body.results.callers)).toEqual(['main.load', 'main.run']);
  });

  test('may be suffixes, and have other separators and places', async () => {
    const { graph } = await indexed(TYPESCRIPT);
    for (const name of ['cart.total', 'shop/cart.total', 'cart#total', 'total()', 'src/cart/index.ts:6'])
      expect(await callerNames(graph, name), name).toEqual(['shop/cart.render']);
  });

  test('that are unknown are an error that says what is near, and how names are written', async () => {
    const { graph } = await indexed(TYPESCRIPT);
    await expect(callers(graph, 'rendr')).rejects.toMatchObject({
      code: 'NODE_NOT_FOUND',
      suggestion: expect.stringMatching(/'render'.*qualified/),
    });
  });
});

describe('what is shown', () => {
  const MANY = {
    'a.py': `def hub():\n    pass\n\n${Array.from({ length: 120 }, (_, at) => `@kept\ndef f${at}():\n    hub()\n`).join('\n')}`,
    'lib/b.py': 'from a import hub\n\n\n@cached("x")\ndef near():\n    hub()\n',
  };

  test('is cut at 100 rows, with how many there are and how to get the others', async () => {
    const { graph } = await indexed(MANY);
    const { body, markdown } = await callers(graph, 'hub', { max_tokens: 20_000 });
    expect(body.metadata).toMatchObject({ row_count: 100, total_count: 121, truncated: true });
    expect(body.results.callers).toHaveLength(100);
    expect(body.state.cut).toEqual([
      'The first 100 of 121 callers are shown: the next page gives more, `scope` narrows them.',
    ]);
    expect(markdown).toContain('100 of 121 callers');
    expect(markdown).toContain('`scope` narrows them.');
  });

  test('says how many callers there are in production code and in tests, where not all are shown', async () => {
    const { graph } = await indexed({
      ...MANY,
      'tests/test_a.py': `from a import hub\n\n${'ABCDEFG'
        .split('')
        .map((one) => `def test_${one}():\n    hub()\n`)
        .join('\n')}`,
    });
    for (const input of [{ limit: 5 }, { tests: true, limit: 5 }, { limit: 50, max_tokens: 300 }]) {
      const { results, metadata } = (await callers(graph, 'hub', input)).body;
      expect(results).toMatchObject({ callers_total: 121, tests_total: 7 });
      expect(metadata.total_count).toBe(128);
    }
    const { results } = (await callers(graph, 'hub', { scope: 'tests' })).body;
    expect(results.callers).toHaveLength(7);
    expect(Object.keys(results)).not.toContain('tests_total');
  });

  test('of each of several symbols is said with its count, where its rows are cut or all in tests', async () => {
    const uses = (many: number) =>
      Array.from({ length: many }, (_, at) => `def use_${at}():\n    run()\n    run()\n`).join('\n');
    const { graph } = await indexed({
      'a.py': 'def run():\n    return 1\n',
      'b.py': 'def run():\n    return 2\n',
      'c.py': 'def run():\n    return 3\n',
      'use.py': `from a import run\n\n${uses(12)}`,
      'tests/test_b.py': `from b import run\n\n${uses(3)}`,
    });
    const targetsOf = async (input: object) => {
      const { body, markdown } = await callers(graph, 'run', input);
      const counts = body.results.targets?.map(({ total, in_tests }) => [total, in_tests]);
      expect(counts).toEqual([
        [12, undefined],
        [3, 3],
        [0, undefined],
      ]);
      return [...markdown.matchAll(/^`\w\.run` function, \w\.py:1:(.*)$/gm)].map(([, said]) => said?.trim());
    };
    expect(await targetsOf({})).toEqual(['', '3 callers, all in tests.', 'none.']);
    expect(await targetsOf({ limit: 5 })).toEqual(['5 of 12 callers.', '3 callers, all in tests.', 'none.']);
    expect(await targetsOf({ max_tokens: 50 })).toEqual([
      '12 callers, not shown here.',
      '3 callers, all in tests.',
      'none.',
    ]);
  });

  test('is what is within the scope: a folder, a file or a package', async () => {
    const { graph } = await indexed(MANY);
    for (const scope of ['lib', 'lib/', './lib', 'lib/b.py', 'lib.b'])
      expect((await callers(graph, 'hub', { scope })).body.metadata.total_count, scope).toBe(1);
    const { body } = await callers(graph, 'hub', { scope: 'lib' });
    expect(body).toMatchObject({
      results: { callers: [{ name: 'near', decorators: ['cached("x")'] }] },
      metadata: { row_count: 1, total_count: 1, truncated: false },
      state: { cut: ['120 more callers are outside of the scope.'] },
    });
    // The same error everywhere: what is nowhere is no finding.
    for (const [walker, input] of [
      ['query_callers', { function_name: 'hub' }],
      ['query_references', { name: 'hub' }],
      ['query_tests', { name: 'hub' }],
      ['query_impact', { name: 'hub' }],
      ['query_call_graph', { entry_point: 'hub' }],
      ['query_dependencies', { target: 'hub' }],
      ['query_cycles', { cycle_type: 'imports' }],
      ['search_code', { query: 'hub' }],
    ] as const)
      await expect(asked(graph, walker, { ...input, scope: 'li' }), walker).rejects.toMatchObject({
        code: 'NODE_NOT_FOUND',
        message: "scope: no folder, file or package 'li' in the graph",
        suggestion: expect.stringContaining("Did you mean 'lib'?"),
      });
  });

  test('holds no file, no line and no id without include_paths', async () => {
    const { graph } = await indexed(PYTHON);
    const { body, markdown } = await callers(graph, 'Base.log', { include_paths: false, max_depth: 2 });
    expect(body.results.callers[0]).toEqual({
      kind: 'function',
      qualified_name: 'auth.services.make',
      name: 'make',
      decorators: [],
    });
    const { state, ...said } = body;
    expect(JSON.stringify(said)).not.toMatch(/\.py|line_/);
    expect(markdown).not.toMatch(/\.py/);
  });

  test('says fewer things before it shows fewer rows, and never less than where a row stands', async () => {
    const { graph } = await indexed(MANY);
    const usual = await callers(graph, 'hub');
    const rows = usual.body.results.callers;
    expect(rows.length).toBeGreaterThan(20);
    for (const row of rows) {
      expect(row).toMatchObject({
        id: expect.any(String),
        file_path: expect.any(String),
        line_start: expect.any(Number),
      });
    }
    expect(usual.body.state.cut.join()).toMatch(
      /^The first \d+ of 121 callers are shown\. .*Decorators are left out: /,
    );
    expect(JSON.stringify(usual.body).length / 4).toBeLessThanOrEqual(2000);
    expect(usual.markdown.length / 4).toBeLessThanOrEqual(2000);
    expect(usual.markdown.match(/^- /gmu)?.length).toBeGreaterThan(rows.length);
  });

  test('goes on page by page where a cursor of the same question says', async () => {
    const { graph } = await indexed(MANY);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await callers(graph, 'hub', { max_tokens: 1000, ...(cursor ? { cursor } : {}) });
      seen.push(...body.results.callers.map(({ id = '' }) => id));
      cursor = body.state.cursor;
      expect(seen.length).toBeLessThanOrEqual(121);
    } while (cursor !== undefined);
    expect(new Set(seen).size).toBe(121);
  });

  test('refuses a cursor of another question, of an older graph, and what is no cursor', async () => {
    const { graph, root } = await indexed(MANY);
    const { cursor = '' } = (await callers(graph, 'hub')).body.state;
    const other = { code: 'INVALID_INPUT', message: expect.stringContaining('another question') };
    await expect(callers(graph, 'near', { cursor })).rejects.toMatchObject(other);
    await expect(callers(graph, 'hub', { cursor: 'next' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    write({ 'new.py': 'x = 1\n' }, root);
    await index(graph, { mode: 'incremental' });
    await expect(callers(graph, 'hub', { cursor })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('older graph'),
      suggestion: expect.stringContaining('without `cursor`'),
    });
  });
});
