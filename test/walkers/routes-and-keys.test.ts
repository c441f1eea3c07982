import { beforeAll, describe, expect, test } from 'vitest';
import { labelsOf } from '../../schema/index.js';
import {
  exportText,
  type Files,
  freshExport,
  freshLook,
  index,
  indexed,
  type Look,
  replace,
} from './project.js';

const SHOP: Files = {
  'package.json': '{\n  "name": "shop",\n  "scripts": { "build": "tsc", "createUser": "node x.js" }\n}\n',
  'src/app.ts': `import express from 'express';
import { createUser, listUsers } from './users.js';
const app = express();
app.get('/users', listUsers);
app.post('/users', async (request, response) => {
  const log = () => listUsers();
  response.json(await createUser(request.body, log()));
});
app.all(['/a', '/b'], function both() { listUsers(); });
export function build() { return app; }
`,
  'src/users.ts': 'export function createUser(...a: unknown[]) {}\nexport function listUsers() {}\n',
  'src/app.test.ts': `import express from 'express';
import { it } from 'vitest';
import { createUser } from './users.js';
it('serves', () => { express().get('/test', () => createUser()); });
`,
  'web/views.py': `from flask import Flask
from .store import save
app = Flask(__name__)

@app.route("/save", methods=["POST", "PUT"])
def store():
    save()

app.add_url_rule("/rule", view_func=save)
`,
  'web/store.py': 'def save():\n    pass\n',
  '.env': 'DATABASE_URL=postgres://me:real-secret@host/db\n',
  '.env.example': 'DATABASE_URL=postgres://me:real-secret@host/db\nTOKEN=abc123abc123\n',
};

describe('a route', () => {
  let graph: Look;
  beforeAll(async () => {
    graph = await freshLook(SHOP);
  });
  const callersOf = (id: string) =>
    graph.pairs('CALLS').flatMap((pair) => (pair.endsWith(` > ${id}`) ? [pair.split(' > ')[0]] : []));

  test('is a symbol with method, path and the lines of its registration', () => {
    expect(graph.node('route:src/app.ts:POST /users')).toMatchObject({
      kind: 'route',
      name: 'POST /users',
      qualified_name: 'shop/app.POST /users',
      signature: "app.post('/users')",
      start_line: 5,
      end_line: 8,
    });
    const node = { type: 'Route', props: { kind: 'route' } };
    expect(labelsOf(node)).toEqual(['Symbol', 'Route']);
  });

  test('calls what its handler calls, and encloses what is defined there', () => {
    expect(callersOf('fn:src/users.ts:createUser')).toEqual([
      'route:src/app.ts:POST /users',
      'test:src/app.test.ts:serves',
    ]);
    expect(callersOf('fn:src/users.ts:listUsers')).toEqual(['fn:src/app.ts:both', 'fn:src/app.ts:log']);
    expect(graph.pairs('CONTAINS')).toContain('route:src/app.ts:POST /users > fn:src/app.ts:log');
  });

  test('runs the handler that is named, written as a function, or decorated', () => {
    const references = graph.pairs('REFERENCES').filter((pair) => pair.startsWith('route:'));
    expect(references).toEqual([
      'route:src/app.ts:ALL /a > fn:src/app.ts:both',
      'route:src/app.ts:ALL /b > fn:src/app.ts:both',
      'route:src/app.ts:GET /users > fn:src/users.ts:listUsers',
      'route:web/views.py:GET /rule > fn:web/store.py:save',
      'route:web/views.py:POST /save > fn:web/views.py:store',
      'route:web/views.py:PUT /save > fn:web/views.py:store',
    ]);
    expect(callersOf('fn:web/store.py:save')).toEqual(['fn:web/views.py:store']);
    expect(new Set(graph.edges.flatMap((edge) => (edge.access === 'run' ? [edge.from] : [])))).toEqual(
      new Set(references.map((pair) => pair.split(' > ')[0])),
    );
  });

  test('of a test is part of the test', () => {
    expect(graph.ids('route').filter((id) => String(id).includes('test'))).toEqual([]);
  });
});

describe('a key of a configuration', () => {
  let graph: Look;
  beforeAll(async () => {
    graph = await freshLook(SHOP);
  });

  test('is a symbol of a file that is no module', () => {
    expect(graph.ids('config')).toEqual([
      'config:.env.example:DATABASE_URL',
      'config:.env.example:TOKEN',
      'config:package.json:name',
      'config:package.json:scripts',
      'config:package.json:scripts.build',
      'config:package.json:scripts.createUser',
    ]);
    expect(graph.node('config:package.json:scripts.build')).toMatchObject({
      name: 'scripts.build',
      signature: 'scripts.build: "tsc"',
      start_line: 3,
      end_line: 3,
    });
    expect(graph.pairs('CONTAINS')).toContain(
      'config:package.json:scripts > config:package.json:scripts.build',
    );
    expect(graph.node('file:package.json')).toMatchObject({ extracted: true, is_module: false });
    expect(graph.node('file:src/app.ts')).toMatchObject({ extracted: true, is_module: true });
  });

  test('is never what a name in code leads to', () => {
    const edges = graph.edges.filter(({ kind }) => kind !== 'CONTAINS' && kind !== 'DEFINES');
    expect(edges.filter(({ to, from }) => `${to} ${from}`.includes('config:'))).toEqual([]);
  });

  test('is what a name means where no code has it', async () => {
    const { graph } = await indexed({ ...SHOP, 'src/name.ts': 'export function name() {}\n' });
    const about = async (symbol: string) =>
      (await graph.spawn('explain', null, { from: symbol, to: symbol })).output;
    expect(JSON.stringify(await about('name'))).not.toContain('config:package.json:name');
    expect(JSON.stringify(await about('scripts.build'))).toContain('config:package.json:scripts.build');
  });

  test('shows no secret, and a file of real values is not read', async () => {
    const { graph } = await indexed(SHOP);
    const text = await exportText(graph);
    expect(text).toContain('DATABASE_URL: postgres://me:[masked:');
    expect(text).not.toContain('real-secret');
    expect(text).not.toContain('abc123abc123');
    expect(text).not.toContain('"file:.env"');
  });
});

describe('an update of routes and keys leaves what a first index does, after', () => {
  const edits: Record<string, Files> = {
    'an edit of a handler': {
      'src/app.ts': String(SHOP['src/app.ts']).replace('await createUser', 'await listUsers'),
    },
    'another path': { 'src/app.ts': String(SHOP['src/app.ts']).replace("post('/users'", "post('/people'") },
    'a second route of the name': { 'src/app.ts': `${SHOP['src/app.ts']}app.get('/users', createUser);\n` },
    'a handler that moved': { 'src/users.ts': 'export function listUsers() {}\n' },
    'another decorator': { 'web/views.py': String(SHOP['web/views.py']).replace('"POST", ', '') },
    'another key': { 'package.json': '{"name": "shop", "scripts": {"test": "vitest"}}' },
    'broken keys': { 'package.json': '{"name": "shop", "scripts": {"test": ' },
    'a file that became empty': { 'src/app.ts': '', '.env.example': '' },
  };
  test.each(Object.entries(edits))('%s', async (_, edit) => {
    const { root, graph } = await indexed(SHOP);
    const files = { ...SHOP, ...edit };
    replace(root, files);
    await index(graph);
    expect(await exportText(graph)).toBe(await freshExport(files));
  });

  test('a file that is gone', async () => {
    const { root, graph } = await indexed(SHOP);
    const { 'package.json': _, 'src/app.ts': __, '.env.example': ___, ...left } = SHOP;
    replace(root, left);
    await index(graph);
    expect(await exportText(graph)).toBe(await freshExport(left));
  });
});

test('a route is among the callers of what its handler calls, a key is nothing that could be called', async () => {
  const { graph } = await indexed(SHOP);
  const callers = async (function_name: string) =>
    (await graph.spawn('query_callers', null, { function_name })).output;
  expect(JSON.stringify(await callers('createUser'))).toContain('POST /users');
  await expect(callers('scripts')).rejects.toMatchObject({ code: 'NODE_NOT_FOUND' });
});
