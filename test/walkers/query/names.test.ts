import { describe, expect, test } from 'vitest';
import type { OpenGraph } from '../../../host/index.js';
import type { NodeOutput } from '../../../walkers/query/graph-node.js';
import type { CallersOutput } from '../../../walkers/query/query-callers.js';
import type { ExportsOutput } from '../../../walkers/query/query-exports.js';
import type { ImpactOutput } from '../../../walkers/query/query-impact.js';
import type { ImplementationsOutput } from '../../../walkers/query/query-implementations.js';
import type { ReferencesOutput } from '../../../walkers/query/query-references.js';
import { type Files, indexed, write } from '../project.js';
import { asked, PYTHON, TYPESCRIPT } from './shops.js';

const callers = (graph: OpenGraph, function_name: string, input: object = {}) =>
  asked<CallersOutput>(graph, 'query_callers', { function_name, ...input });
const names = (rows: readonly { qualified_name: string }[]) => rows.map((row) => row.qualified_name);
const callerNames = async (...question: Parameters<typeof callers>) =>
  names((await callers(...question)).body.results.callers);

describe('a name', () => {
  test('that leads out of the project leads nowhere, also where modules lie at the root', async () => {
    const { graph } = await indexed({ ...TYPESCRIPT, 'main.ts': 'export function main() { main(); }\n' });
    for (const name of ['../main', '../x.ts', '/', '/etc/passwd', '/etc/passwd:1', '..\\main', 'src/../../x'])
      for (const [walker, field] of [
        ['query_callers', 'function_name'],
        ['query_call_graph', 'entry_point'],
        ['query_dependencies', 'target'],
        ['query_exports', 'module_name'],
      ] as const)
        await expect(asked(graph, walker, { [field]: name }), `${walker} ${name}`).rejects.toMatchObject({
          code: 'NODE_NOT_FOUND',
        });
  });

  test('is no extension and no end of a file name', async () => {
    const { graph } = await indexed({
      ...TYPESCRIPT,
      'src/cart.test.ts': "import { total } from './cart';\nexport const cases = [total()];\n",
    });
    for (const name of ['ts', 'test', 'test.ts'])
      await expect(callers(graph, name), name).rejects.toMatchObject({ code: 'NODE_NOT_FOUND' });
    const { body } = await asked<ExportsOutput>(graph, 'query_exports', { module_name: 'cart.test' });
    expect(names(body.results.exports)).toEqual(['shop/cart.test.cases']);
  });

  test('in another case is suggested, among the names of now', async () => {
    const { graph, root } = await indexed({ 'src/a.ts': 'export function LogIn() {}\nLogIn();\n' });
    const meant = (name: string) => callers(graph, name).catch(({ suggestion }) => suggestion);
    for (const name of ['login', 'LOGIN', 'A.LogIn']) expect(await meant(name), name).toContain("'LogIn'");
    write({ 'src/a.ts': 'export function LogOut() {}\nLogOut();\n' }, root);
    await graph.spawn('graph_update_files', null, { paths: ['src/a.ts'] });
    expect(await meant('logout')).toContain("'LogOut'");
    expect(await meant('LogIn')).not.toContain("'LogIn'");
  });

  test('of a member near it is suggested with its class first, then by the member', async () => {
    const { graph } = await indexed({
      'src/a.py': ['Group', 'Command', 'Context', 'CliRunner', 'Test']
        .map((name) => `class ${name}:\n    def invoke(self): pass\n    def invoked(self): pass\n`)
        .join('\n'),
      'test/a.test.ts': "test('CliRunner.Invoke it', () => {});\n",
    });
    const meant = (name: string) => callers(graph, name).catch(({ suggestion }) => suggestion);
    for (const name of [
      'CliRunner.Invoke',
      'clirunner.invoke',
      'runner.invoke',
      'CliRuner.invoke',
      'a.clirunner.Invoke',
    ])
      expect(await meant(name), name).toMatch(/^Did you mean 'CliRunner\.invoke' or /);
    expect(await meant('context.Invoke')).toMatch(
      /^Did you mean 'Context\.invoke' or 'Context\.invoked' or /,
    );
    expect(await meant('Invoke')).not.toContain('it');
  });

  test('of what was removed leads to its uses', async () => {
    const { graph, root } = await indexed({
      'src/a.py': 'def kept(): pass\n\n\ndef gone(): pass\n',
      'src/b.py': 'from a import gone\n\n\ndef go(): gone()\n',
    });
    write({ 'src/a.py': 'def kept(): pass\n' }, root);
    await graph.spawn('graph_update_files', null, { paths: ['src/a.py'] });
    const suggestion = expect.stringContaining("`query_references` for 'gone' lists where it is still used.");
    await expect(callers(graph, 'gone')).rejects.toMatchObject({
      message: expect.stringContaining("'gone' is not defined in the project (any more)"),
      suggestion,
    });
    await expect(callers(graph, 'a.gone')).rejects.toMatchObject({ suggestion });
    await expect(callers(graph, 'a.kpt')).rejects.toMatchObject({
      suggestion: expect.not.stringContaining('query_references'),
    });
    const { body } = await asked<ReferencesOutput>(graph, 'query_references', { name: 'gone' });
    expect(body.results.references.map(({ path, line }) => `${path}:${line}`)).toContain('src/b.py:4');
  });

  test('may be qualified with other separators', async () => {
    const python = await indexed(PYTHON);
    for (const name of ['auth/services/UserService/login', 'UserService#login'])
      expect(await callerNames(python.graph, name), name).toEqual(['app.start']);
    const { graph } = await indexed(TYPESCRIPT);
    for (const name of ['shop.cart.total', 'shop::cart::total', 'shop\\cart\\total', 'src\\cart\\index.ts:6'])
      expect(await callerNames(graph, name), name).toEqual(['shop/cart.render']);
    const { body } = await asked<ExportsOutput>(graph, 'query_exports', { module_name: 'src\\money' });
    expect(body.results.module_info?.path).toBe('src/money.ts');
  });

  test('of a test is found as it is written, with what would separate parts elsewhere', async () => {
    const { graph } = await indexed({
      'test/a.test.ts': "test('calls Cart#add and Cart::drop before pay()', () => {});\n",
    });
    const title = 'calls Cart#add and Cart::drop before pay()';
    for (const id of [title, `test/a.test.${title}`]) {
      const { body } = await asked<NodeOutput>(graph, 'graph_node', { id });
      expect(body.name, id).toBe(title);
    }
  });

  test('of a member may be that of a class which inherits it', async () => {
    const { graph } = await indexed({
      'src/base.ts': 'export class Base {\n  load() {}\n}\n',
      'src/user.ts':
        "import { Base } from './base';\nexport class User extends Base {}\nexport const go = (user: User) => user.load();\n",
    });
    for (const name of ['User.load', 'user.User.load', 'Base.load'])
      expect(await callerNames(graph, name), name).toEqual(['user.go']);
    await expect(callers(graph, 'User.save')).rejects.toMatchObject({ code: 'NODE_NOT_FOUND' });
  });

  test('of a module may be the last folders of its path, with slashes or dots', async () => {
    const { graph } = await indexed({
      ...TYPESCRIPT,
      'lib/tools/kit/__init__.py': 'def make(): pass\n',
      'lib/tools/other.py': '',
    });
    for (const [name, path] of [
      ['tools/kit', 'lib/tools/kit/__init__.py'],
      ['tools.kit', 'lib/tools/kit/__init__.py'],
      ['src.cart', 'src/cart/index.ts'],
      ['src.money', 'src/money.ts'],
    ] as const) {
      const { body } = await asked<ExportsOutput>(graph, 'query_exports', { module_name: name });
      expect([body.results.module_info?.path, body.state.cut], name).toEqual([path, []]);
    }
  });

  test('of a line that a file does not have leads nowhere', async () => {
    const { graph } = await indexed(TYPESCRIPT);
    for (const line of [0, 99])
      await expect(callers(graph, `src/print.ts:${line}`)).rejects.toMatchObject({ code: 'NODE_NOT_FOUND' });
  });

  test('of any length is cut in what an error says of it, and whole in what was given', async () => {
    const { graph } = await indexed(TYPESCRIPT);
    const name = 'x'.repeat(4000);
    const error = await callers(graph, name).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'NODE_NOT_FOUND', providedInput: name });
    expect(error.message.length).toBeLessThan(300);
  });

  test('is never answered with the place of a node where no paths are asked for', async () => {
    const { graph } = await indexed({
      'lib/one.py': 'def f(): g()\n\n\ndef g(): f()\n',
      'lib/two.py': 'def f(): pass\n',
    });
    const { body, markdown } = await callers(graph, 'f', { include_paths: false });
    expect(body.state.cut).toEqual(["'f' leads to 2: lib.one.f, lib.two.f; qualify it."]);
    expect(JSON.stringify(body) + markdown).not.toContain('.py');
  });
});

const LIBRARY: Files = {
  'src/shop/__init__.py': `from . import tools
from .core import Till as Till, _close as close
from .core import pay
from ._all import *
from _shop_speed import sums
`,
  'src/_shop_speed.py': 'def sums(): pass\n',
  'src/shop/core.py': `class Base:
    def open(self): pass


class Till(Base):
    @property
    def sum(self): return 1

    @sum.setter
    def sum(self, value): pass


def _close(): Till().open()


def pay(): _close()
`,
  'src/shop/_all.py': '__all__ = ["listed"]\n\n\ndef listed(): pass\n\n\ndef hidden(): pass\n',
  'src/shop/tools/__init__.py': 'from .deep import hammer\n',
  'src/shop/tools/deep.py': 'def hammer(): pass\n',
  'src/spaces/kit/__init__.py': 'def make(): pass\n',
  'examples/package.json': '{ "config": { "pay": 1, "only": 2 } }\n',
};

const WORKSPACE: Files = {
  'package.json': '{ "name": "root", "private": true, "workspaces": ["packages/*"] }',
  'packages/core/package.json':
    '{ "name": "@kit/core", "main": "dist/index.js", "exports": { ".": "./dist/index.js", "./extra": "./dist/more/extra.js" } }',
  'packages/core/index.js': "module.exports = require('./dist/index.js');\n",
  'packages/core/src/index.ts': "export * from './barrel';\nexport { default } from './main';\n",
  'packages/core/src/barrel.ts':
    "export * from './index';\nexport { one as first, Box } from './one';\nexport type { Shape } from './one';\n",
  'packages/core/src/one.ts': `export function one(a: string): void;
export function one(a: number): void;
export function one(a: unknown): void {}
export class Box { get size() { return 1; } set size(n) {} }
export interface Shape { area: number }
`,
  'packages/core/src/main.ts': 'export default function start() {}\n',
  'packages/core/src/more/extra.ts': 'export const extra = () => 1;\n',
  'packages/app/package.json': '{ "name": "app", "main": "./lib.js" }',
  'packages/app/lib.js':
    "import { first } from '@kit/core';\nfirst(1);\nexport class App { run() { first(2); } }\n",
  'packages/types/package.json': '{ "name": "types", "types": "./typed/index.d.ts" }',
  'packages/types/typed/index.d.ts': 'declare function typed(): void;\nexport = typed;\n',
};

const NAMESPACES: Files = {
  'package.json': '{ "name": "zed", "main": "./index.js" }',
  'index.ts':
    "import * as z from './all';\nexport { z };\nexport * as kit from './kit';\nimport * as own from './own';\nown.pack();\n",
  'all.ts': "export * from './schemas';\nexport * as coerce from './coerce';\n",
  'schemas.ts': `export function object() { return { value: 1 }; }
export interface Box { size: number }
export const Box = make<Box>('Box');
export type Loose = { size: number };
export const boxed = () => new Box();
function make<T>(name: string): new () => T { throw new Error(name); }
`,
  'coerce.ts': 'export function number() {}\n',
  'kit.ts': 'export function pack() {}\n',
  'lib/kit.ts': 'export function pack() {}\nexport function unpack() {}\n',
  'own.ts': 'export function pack() {}\nexport function hidden() {}\n',
  'test/object.test.ts': `import { z } from '..';
test('z.object', () => { z.object(); });
test('object', () => { z.object(); });
test('z.nothing', () => { z.object(); });
`,
};

describe('a public name', () => {
  const ids = async (files: Files, wanted: Readonly<Record<string, string>>) => {
    const { graph } = await indexed(files);
    for (const [name, id] of Object.entries(wanted)) {
      const found = await asked<{ id: string }>(graph, 'graph_node', { id: name }).then(
        ({ body }) => body.id,
        ({ code }) => code,
      );
      expect(found, name).toBe(id);
    }
  };

  test('of a Python package leads through its imports to the definition', () =>
    ids(LIBRARY, {
      'shop.Till': 'cls:src/shop/core.py:Till',
      'shop.close': 'fn:src/shop/core.py:_close',
      'shop.pay': 'fn:src/shop/core.py:pay',
      'shop.listed': 'fn:src/shop/_all.py:listed',
      'shop.hidden': 'NODE_NOT_FOUND',
      'shop.sums': 'fn:src/_shop_speed.py:sums',
      'shop.tools.hammer': 'fn:src/shop/tools/deep.py:hammer',
      'shop/pay': 'fn:src/shop/core.py:pay',
      'src/shop/__init__.py::pay': 'fn:src/shop/core.py:pay',
      'shop.Till.open': 'm:src/shop/core.py:Base.open',
      'shop.Till.sum': 'm:src/shop/core.py:Till.sum',
      'spaces.kit.make': 'fn:src/spaces/kit/__init__.py:make',
      'shop.Pay': 'NODE_NOT_FOUND',
      pay: 'fn:src/shop/core.py:pay',
      'config.only': 'config:examples/package.json:config.only',
    }));

  test('of a package of a workspace begins with its name in the manifest', () =>
    ids(WORKSPACE, {
      '@kit/core': 'file:packages/core/src/index.ts',
      '@kit/core.first': 'fn:packages/core/src/one.ts:one~3',
      '@kit/core/first': 'fn:packages/core/src/one.ts:one~3',
      '@kit/core.one': 'file:packages/core/src/one.ts',
      '@kit/core.default': 'fn:packages/core/src/main.ts:start',
      '@kit/core.Box.size': 'm:packages/core/src/one.ts:Box.size',
      '@kit/core.Shape': 'cls:packages/core/src/one.ts:Shape',
      '@kit/core/extra.extra': 'fn:packages/core/src/more/extra.ts:extra',
      'app.App.run': 'm:packages/app/lib.js:App.run',
      'types.typed': 'fn:packages/types/typed/index.d.ts:typed',
      '@kit/core.second': 'NODE_NOT_FOUND',
    }));

  test('may begin with a namespace that a package exports', async () => {
    await ids(NAMESPACES, {
      'z.object': 'fn:schemas.ts:object',
      'z.coerce.number': 'fn:coerce.ts:number',
      'zed.z.object': 'fn:schemas.ts:object',
      'z.Loose': 'type:schemas.ts:Loose',
      'z.Object': 'NODE_NOT_FOUND',
    });
    const { graph } = await indexed(NAMESPACES);
    const { body } = await callers(graph, 'kit.pack');
    expect(body.results.targets?.map(({ file_path }) => file_path)).toEqual(['kit.ts', 'lib/kit.ts']);
    expect((await callers(graph, 'kit.unpack')).body.results.target?.file_path).toBe('lib/kit.ts');
    expect((await callers(graph, 'own.pack')).body.results.target?.file_path).toBe('own.ts');
    await expect(callers(graph, 'z.Object')).rejects.toMatchObject({
      suggestion: expect.stringMatching(/^Did you mean 'z\.object'/),
    });
    const exports = await asked<ExportsOutput>(graph, 'query_exports', { module_name: 'z' });
    expect(names(exports.body.results.exports)).toContain('zed/schemas.object');
  });

  test('goes before the title of a test, which counts where nothing else is of that name', async () => {
    const { graph } = await indexed(NAMESPACES);
    const about = async (name: string) => (await callers(graph, name)).body.results.target?.id;
    for (const name of ['z.object', 'object', 'schemas.object'])
      expect(await about(name), name).toBe('fn:schemas.ts:object');
    for (const name of ['z.nothing', 'test/object.test.ts:4', 'test:test/object.test.ts:z.nothing'])
      expect(await about(name), name).toBe('test:test/object.test.ts:z.nothing');
    expect(await about('test:test/object.test.ts:z.object')).toBe('test:test/object.test.ts:z.object');
  });

  test('is what an answer is about, and overloads are one symbol', async () => {
    const { graph } = await indexed(WORKSPACE);
    const { body, markdown } = await callers(graph, '@kit/core.first');
    const target = {
      id: 'fn:packages/core/src/one.ts:one~3',
      qualified_name: '@kit/core/one.one',
      kind: 'function',
      file_path: 'packages/core/src/one.ts',
      line_start: 3,
    };
    expect(body).toMatchObject({ results: { target }, metadata: { total_count: 2 }, state: { cut: [] } });
    expect(markdown).toContain('(`@kit/core/one.one` function, packages/core/src/one.ts:3)');
    const { results } = (await asked<ExportsOutput>(graph, 'query_exports', { module_name: '@kit/core' }))
      .body;
    expect(results.exports.map(({ name, line_start }) => [name, line_start])).toEqual([
      ['start', 1],
      ['one', 3],
      ['Box', 4],
      ['Shape', 5],
    ]);
  });

  test('that is near one of its package is suggested', async () => {
    const { graph } = await indexed(LIBRARY);
    await expect(callers(graph, 'shop.Pay')).rejects.toMatchObject({
      suggestion: expect.stringContaining("'shop.pay'"),
    });
  });
});

describe('a name of several symbols', () => {
  test('groups the rows by what they belong to, tests last', async () => {
    const { graph } = await indexed({
      'test_a.py': 'class Base: pass\nclass InTest(Base): pass\n',
      'b.py': 'class Base: pass\nclass One(Base): pass\nclass Two(One): pass\n',
      'c.py': 'class Base: pass\n',
    });
    const { body, markdown } = await asked<ImplementationsOutput>(graph, 'query_implementations', {
      interface_name: 'Base',
      include_indirect: true,
    });
    const { targets = [], implementations } = body.results;
    expect(targets.map(({ file_path }) => file_path)).toEqual(['b.py', 'c.py', 'test_a.py']);
    expect(implementations.map(({ name, target }) => [name, target])).toEqual([
      ['One', 0],
      ['Two', 0],
      ['InTest', 2],
    ]);
    expect(markdown).toContain('`c.Base` class, c.py:1: none.');
    expect(body.state.cut.join()).toContain("'Base' leads to 3: b.Base (b.py:1), c.Base (c.py:1)");
  });
});

test('a type and a value of one name are one symbol, which calls reach by its value', async () => {
  const { graph } = await indexed(NAMESPACES);
  for (const name of ['zed.z.Box', 'z.Box', 'Box', 'schemas.Box']) {
    const { body } = await callers(graph, name);
    expect(body.results.target, name).toMatchObject({ id: 'var:schemas.ts:Box', line_start: 3 });
    expect(names(body.results.callers), name).toEqual(['zed/schemas.boxed']);
    const node = await asked<NodeOutput>(graph, 'graph_node', { id: name });
    expect(
      node.body.targets?.map(({ line_start }) => line_start),
      name,
    ).toEqual([2, 3]);
  }
  const { body } = await callers(graph, 'cls:schemas.ts:Box');
  expect(body.results).toMatchObject({ target: { kind: 'interface' }, callers: [] });
  const impact = await asked<ImpactOutput>(graph, 'query_impact', { name: 'z.Box' });
  expect(JSON.stringify(impact.body.results)).toContain('zed/schemas.boxed');
});

describe('a scope', () => {
  test('is read as paths are written: with backslashes, doubled slashes, or from the disk', async () => {
    const { graph, root } = await indexed(PYTHON);
    const found = async (scope: string) =>
      (await callerNames(graph, 'hash_password', { max_depth: 3, scope })).length;
    const whole = (await callers(graph, 'hash_password', { max_depth: 3 })).body.results.callers.length;
    for (const scope of ['.', './', '/', root, `${root}/`]) expect(await found(scope), scope).toBe(whole);
    const part = await found('src/auth');
    expect(part).toBeLessThan(whole);
    for (const scope of ['src\\auth', './/src//auth/', `${root}/src/auth`, 'auth'])
      expect(await found(scope), scope).toBe(part);
    await expect(found('../src/auth')).rejects.toMatchObject({ code: 'NODE_NOT_FOUND' });
  });
});
