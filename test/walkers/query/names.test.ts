import { describe, expect, test } from 'vitest';
import type { OpenGraph } from '../../../host/index.js';
import type { CallersOutput } from '../../../walkers/query/query-callers.js';
import type { ExportsOutput } from '../../../walkers/query/query-exports.js';
import { indexed, write } from '../project.js';
import { asked, PYTHON, TYPESCRIPT } from './shops.js';

const callers = (graph: OpenGraph, function_name: string, input: object = {}) =>
  asked<CallersOutput>(graph, 'query_callers', { function_name, ...input });
const names = (rows: readonly { qualified_name: string }[]) => rows.map((row) => row.qualified_name);

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

  test('in another case is looked for among the names of now', async () => {
    const { graph, root } = await indexed({ 'src/a.ts': 'export function LogIn() {}\nLogIn();\n' });
    const found = async (name: string) => (await callers(graph, name)).body.metadata.total_count;
    expect([await found('login'), await found('LOGIN')]).toEqual([1, 1]);
    write({ 'src/a.ts': 'export function LogOut() {}\nLogOut();\n' }, root);
    await graph.spawn('graph_update_files', null, { paths: ['src/a.ts'] });
    expect(await found('logout')).toBe(1);
    await expect(callers(graph, 'login')).rejects.toMatchObject({ code: 'NODE_NOT_FOUND' });
  });

  test('may be qualified in another case, and with other separators', async () => {
    const python = await indexed(PYTHON);
    for (const name of [
      'AUTH.Services.userservice.LOGIN',
      'auth/services/UserService/login',
      'userservice#Login',
    ])
      expect(names((await callers(python.graph, name)).body.results.callers), name).toEqual(['app.start']);
    const { graph } = await indexed(TYPESCRIPT);
    for (const name of ['shop.cart.total', 'shop::cart::total', 'Shop\\cart\\total', 'src\\cart\\index.ts:6'])
      expect(names((await callers(graph, name)).body.results.callers), name).toEqual(['shop/cart.render']);
    const { body } = await asked<ExportsOutput>(graph, 'query_exports', { module_name: 'src\\money' });
    expect(body.results.module_info?.path).toBe('src/money.ts');
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
      ['Tools.Kit', 'lib/tools/kit/__init__.py'],
      ['src.cart', 'src/cart/index.ts'],
      ['src.money', 'src/money.ts'],
      ['src/Money', 'src/money.ts'],
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
      'lib/twice.py': 'def f(): pass\n\n\ndef f(): g()\n\n\ndef g(): f()\n',
    });
    const { body, markdown } = await callers(graph, 'f', { include_paths: false });
    expect(body.state.cut).toEqual(["'f' leads to 2: lib.twice.f; qualify it."]);
    expect(markdown).not.toContain('.py');
    expect((await callers(graph, 'f')).body.state.cut.join()).toContain('fn:lib/twice.py:f~2');
  });
});

describe('a scope', () => {
  test('is read as paths are written: with backslashes, doubled slashes, or from the disk', async () => {
    const { graph, root } = await indexed(PYTHON);
    const found = async (scope: string) =>
      names((await callers(graph, 'hash_password', { max_depth: 3, scope })).body.results.callers).length;
    const whole = (await callers(graph, 'hash_password', { max_depth: 3 })).body.results.callers.length;
    for (const scope of ['.', './', '/', root, `${root}/`]) expect(await found(scope), scope).toBe(whole);
    const part = await found('src/auth');
    expect(part).toBeLessThan(whole);
    for (const scope of ['src\\auth', './/src//auth/', `${root}/src/auth`, 'auth'])
      expect(await found(scope), scope).toBe(part);
    expect(await found('../src/auth')).toBe(0);
  });
});
