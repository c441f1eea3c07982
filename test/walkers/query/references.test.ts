import { describe, expect, test } from 'vitest';
import type { OpenGraph } from '../../../host/index.js';
import type { ReferencesOutput } from '../../../walkers/query/query-references.js';
import { indexed } from '../project.js';
import { asked } from './shops.js';

const references = (graph: OpenGraph, name: string, input: object = {}) =>
  asked<ReferencesOutput>(graph, 'query_references', { name, ...input });
const places = ({ results }: ReferencesOutput) =>
  results.references.map(({ path, line, kind }) => `${path}:${line} ${kind}`);

const APP = {
  'shop/app.py': `from shop.base import Base


class App(Base):
    def __init__(self, env: "Env"):
        self.env = env


class Env:
    filters: dict


def filters_of(app: App):
    return app.env.filters
`,
  'shop/base.py': 'class Base:\n    pass\n',
  'shop/__init__.py': 'from shop.app import App as App\n',
  'tests/test_app.py': `from shop import App


def test_app():
    app = App(None)
    assert app.env is None
`,
};

describe('references', () => {
  test('of a fixture are the parameters that pytest fills with it', async () => {
    const { graph } = await indexed({
      'tests/conftest.py': 'import pytest\n\n\n@pytest.fixture\ndef app():\n    return 1\n',
      'tests/test_a.py': `import pytest


@pytest.fixture
def client(app):
    return app


def test_it(client, app, other):
    pass


@pytest.mark.parametrize("app", [1, 2])
def test_own(app):
    pass


def helper(app, client):
    def test_inner(app):
        pass
`,
      'tests/ops.py': 'def test_connection(app):\n    pass\n',
      'docs/test_b.py': 'def test_elsewhere(app):\n    pass\n',
    });
    const of = async (name: string) => places((await references(graph, name)).body);
    expect(await of('conftest.app')).toEqual(['tests/test_a.py:5 read', 'tests/test_a.py:9 read']);
    expect(await of('test_a.client')).toEqual(['tests/test_a.py:9 read']);
  });

  test('of a member of what a fixture gives say how it is used, and what calls it is a caller', async () => {
    const { graph } = await indexed({
      'app.py': 'class App:\n    debug = False\n    def on(self, code): ...\n',
      'conftest.py': 'import pytest\nfrom app import App\n\n@pytest.fixture\ndef app():\n    return App()\n',
      'test_a.py': 'def test_it(app):\n    app.debug = True\n    @app.on(404)\n    def f(e): pass\n',
    });
    expect(places((await references(graph, 'App.on')).body)).toEqual(['test_a.py:3 decorator']);
    expect(places((await references(graph, 'App.debug')).body)).toEqual(['test_a.py:2 write']);
  });

  test('of a class are its imports, constructions, types and re-exports, production code first', async () => {
    const { graph } = await indexed(APP);
    const { body } = await references(graph, 'shop.app.App');
    expect(places(body)).toEqual([
      'shop/__init__.py:1 import',
      'shop/app.py:13 type',
      'tests/test_app.py:1 import',
      'tests/test_app.py:5 call',
    ]);
    expect(body.results.references[1]).toMatchObject({
      in: 'shop.app.filters_of',
      text: 'def filters_of(app: App):',
    });
    expect(body.results.target).toMatchObject({ qualified_name: 'shop.app.App', file_path: 'shop/app.py' });
  });

  test('of an attribute are also those in the receiver of another name, and of local values', async () => {
    const { graph } = await indexed(APP);
    const { body } = await references(graph, 'App.env');
    expect(places(body)).toEqual(['shop/app.py:6 write', 'shop/app.py:14 read', 'tests/test_app.py:6 read']);
  });

  test('of a base class are its subclasses, of a module what imports it', async () => {
    const { graph } = await indexed(APP);
    expect(places((await references(graph, 'Base')).body)).toEqual([
      'shop/app.py:1 import',
      'shop/app.py:4 extends',
    ]);
    expect(places((await references(graph, 'shop/base.py')).body)).toEqual(['shop/app.py:1 import']);
  });

  test('of a member in TypeScript are reads and writes of local values', async () => {
    const { graph } = await indexed({
      'src/node.ts': `export class Node {
  next: Node | null = null
}
export function link(a: Node, b: Node) {
  a.next = b
  return a.next
}
export const after = (a: Node) => a.next
export class Box {
  #value = 0
  get value() { return this.#value }
  set value(given: number) { this.#value = given }
}
export const doubled = (box: Box) => box.value * 2
`,
    });
    const { body } = await references(graph, 'Node.next');
    expect(places(body)).toEqual(['src/node.ts:5 write', 'src/node.ts:6 read', 'src/node.ts:8 read']);
    const value = await references(graph, 'Box.value');
    expect(places(value.body)).toEqual(['src/node.ts:14 read']);
    expect(value.body.results.targets).toBeUndefined();
  });

  test('are chosen by kind and scope, and paged by a cursor of the same question', async () => {
    const { graph } = await indexed(APP);
    const imports = await references(graph, 'shop.app.App', { kinds: ['import'], scope: 'tests' });
    expect(places(imports.body)).toEqual(['tests/test_app.py:1 import']);
    const first = await references(graph, 'shop.app.App', { limit: 3 });
    const cursor = first.body.state?.cursor;
    const next = await references(graph, 'shop.app.App', { limit: 3, cursor });
    expect([...places(first.body), ...places(next.body)]).toHaveLength(4);
    await expect(references(graph, 'Base', { cursor })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('are all there where one function uses a name more often than it has lines to spare', async () => {
    const uses = Array.from({ length: 100 }, () => '    total += LIMIT\n').join('');
    const { graph } = await indexed({ 'a.py': `LIMIT = 1\n\n\ndef f(total):\n${uses}    return total\n` });
    const { body } = await references(graph, 'LIMIT', { max_tokens: 20_000 });
    expect(body.metadata.total_count).toBe(100);
  });
});
