import { describe, expect, test } from 'vitest';
import type { OpenGraph } from '../../../host/index.js';
import type { CallersOutput } from '../../../walkers/query/query-callers.js';
import { index, indexed, write } from '../project.js';
import { asked, PYTHON, TYPESCRIPT } from './shops.js';

const callers = (graph: OpenGraph, function_name: string, input: object = {}) =>
  asked<CallersOutput>(graph, 'query_callers', { function_name, ...input });
const names = (rows: readonly { qualified_name: string }[]) => rows.map((row) => row.qualified_name);

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
    expect(body.metadata).toEqual({
      row_count: 1,
      total_count: 1,
      truncated: false,
      execution_time_ms: expect.any(Number),
      max_depth: 1,
      query_type: 'structural',
    });
    expect(Object.keys(body.metadata)).toHaveLength(6);
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
    expect(names((await callers(graph, 'countdown')).body.results.callers)).toEqual([
      'auth.services.countdown',
    ]);
    expect(names((await callers(graph, 'ping')).body.results.callers)).toEqual(['app', 'auth.services.pong']);
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
    expect(names((await callers(graph, 'Plain')).body.results.callers)).toEqual(['auth.services.make']);
    expect(names((await callers(graph, 'UserService')).body.results.callers)).toEqual([
      'app.start',
      'auth.services.make',
    ]);
    const script = await indexed(TYPESCRIPT);
    expect(names((await callers(script.graph, 'Purse')).body.results.callers)).toEqual(['shop/cart.total']);
    expect(names((await callers(script.graph, 'Money')).body.results.callers)).toContain(
      'shop/money.Money.plus',
    );
  });

  test('of a method are found through inheritance', async () => {
    const { graph } = await indexed(PYTHON);
    expect(names((await callers(graph, 'Base.log')).body.results.callers)).toEqual([
      'auth.services.make',
      'auth.services.UserService.login',
    ]);
    const script = await indexed(TYPESCRIPT);
    expect(names((await callers(script.graph, 'Money.plus')).body.results.callers)).toEqual([
      'shop/cart.total',
      'shop/money.Coin.flip',
    ]);
  });

  test('of a module call what it defines', async () => {
    const { graph } = await indexed(PYTHON);
    for (const name of ['src/auth/utils.py', 'src/auth/utils', 'auth.utils', 'file:src/auth/utils.py'])
      expect(names((await callers(graph, name)).body.results.callers), name).toEqual([
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

  test('that are none say what else is known: references, and who calls what is overridden', async () => {
    const { graph } = await indexed({
      'a.py':
        'class Base:\n    def send(self): pass\n\nclass Mail(Base):\n    def send(self): pass\n\ndef on_end(): pass\n\ndef go(base: Base):\n    base.send()\n    return register(on_end)\n\ndef register(one): return one\n',
    });
    const handed = await callers(graph, 'on_end');
    const said = '1 reference without a call (passed, decorated, read): explain tells how.';
    expect(handed.body).toMatchObject({ results: { callers: [] }, state: { cut: [said] } });
    expect(handed.markdown).toContain(said);
    const { cut } = (await callers(graph, 'Mail.send')).body.state;
    expect(cut).toEqual(['It overrides a.Base.send, which has 1 caller.']);
    expect((await callers(graph, 'Base.send')).body.state.cut).toEqual([]);
  });

  test('that are none say how many calls of that name lead nowhere known', async () => {
    const { graph } = await indexed(PYTHON);
    const { body, markdown } = await callers(graph, 'UserService.version');
    expect(body).toMatchObject({ results: { callers: [] }, state: { unresolved: 0 } });
    expect(markdown).toBe('Callers of UserService.version: none are known.\n');
    const login = await callers(graph, 'UserService.login');
    expect(login.body.state.unresolved).toBe(1);
    expect(login.markdown).toBe(
      'Callers of UserService.login: 1 caller. 1 unresolved call of that name may be more.\n\n- `start` function, src/app.py:7\n  9: `return UserService(None).login("root")`\n',
    );
  });
});

describe('names', () => {
  test('that lead to several give all their callers, and say so', async () => {
    const { graph } = await indexed(TYPESCRIPT);
    const { body, markdown } = await callers(graph, 'format');
    expect(names(body.results.callers)).toEqual(['shop/cart.load', 'shop/cart.render', 'shop/print.print']);
    expect(body.state.cut).toEqual([
      "'format' leads to 2: shop/money.format, shop/print.format; qualify it.",
    ]);
    expect(markdown).toContain('qualify it.');
    const one = await callers(graph, 'print.format');
    expect(names(one.body.results.callers)).toEqual(['shop/print.print']);
    expect(one.body.state.cut).toEqual([]);
  });

  test('are forgiven their case, suffixes, other separators and places', async () => {
    const { graph } = await indexed(TYPESCRIPT);
    for (const name of [
      'TOTAL',
      'cart.total',
      'shop/cart.total',
      'cart#total',
      'total()',
      'src/cart/index.ts:6',
    ])
      expect(names((await callers(graph, name)).body.results.callers), name).toEqual(['shop/cart.render']);
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
      'The first 100 of 121 callers are shown: `cursor` gives the next, `scope` narrows them.',
    ]);
    expect(markdown).toContain('100 of 121 callers');
    expect(markdown).toContain('`scope` narrows them.');
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
    expect((await callers(graph, 'hub', { scope: 'li' })).body.results.callers).toEqual([]);
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
