import { describe, expect, test } from 'vitest';
import { openGraph } from '../../../index.js';
import { type Files, index, indexed, indexedOnce, open, scratch, write } from '../project.js';
import { codebase, LIBRARY, pack, search } from './library.js';

const LOGIN = 'm:src/auth.ts:Authenticator.login';
const library = indexedOnce(LIBRARY);

describe('search_code', () => {
  test('leads from words to what they are about, and to its files', async () => {
    const graph = await library();
    const { body, ids, markdown } = await search(graph, 'sessions should expire after an hour');
    expect(ids[0]).toBe('fn:src/session.ts:expireSession');
    expect(body.files[0]).toBe('src/session.ts');
    expect(body.hits[0]).toMatchObject({
      file: 'src/session.ts',
      lines: '3-5',
      kind: 'function',
      qualified_name: 'library/session.expireSession',
    });
    expect(markdown).toContain('`expireSession` function, src/session.ts:3-5');
  });

  test('shows code before tests and documents that say the same, unless tests are asked for', async () => {
    const graph = await library();
    const { body } = await search(graph, 'expireSession session expires');
    const at = (path: string) => body.hits.findIndex(({ file }) => file === path);
    expect(at('src/session.ts')).toBe(0);
    expect(at('test/session.test.ts')).toBeGreaterThan(0);
    expect(at('docs/sessions.md')).toBeGreaterThan(0);
    const tests = await search(graph, 'test that a session expires');
    expect(tests.body.hits[0]?.file).toBe('test/session.test.ts');
  });

  test('shows at most ten neighbours of each hit, says how many more there are, and never null in their place', async () => {
    const { graph } = await indexed({
      ...LIBRARY,
      'src/many.ts': Array.from({ length: 30 }, (_, i) => `export function use${i}() { return hub(); }`)
        .concat('export function hub() {}', '')
        .join('\n'),
    });
    const { body, markdown } = await search(graph, 'hub', { max_tokens: 20_000 });
    const [hub] = body.hits;
    expect(hub?.graph_context?.more).toEqual({ 'called by': 20 });
    expect(markdown).toContain('`use17` and 20 more\n');
    expect(hub?.id).toBe('fn:src/many.ts:hub');
    expect(hub?.graph_context?.related_chunks).toHaveLength(10);
    expect(hub?.graph_context?.related_chunks[0]).toEqual({
      relation: 'called by',
      id: 'fn:src/many.ts:use0',
    });
    const login = (await search(graph, 'login password')).body.hits.find(({ id }) => id === LOGIN);
    expect(login?.graph_context).toEqual({
      imports: ['src/database.ts', 'src/crypto.ts'],
      imported_by: ['src/session.ts'],
      related_chunks: expect.arrayContaining([
        { relation: 'calls', id: 'fn:src/crypto.ts:hash' },
        { relation: 'called by', id: 'fn:src/session.ts:renewSession' },
      ]),
    });
    for (const hit of (await search(graph, 'session', { max_tokens: 1000 })).body.hits)
      expect(hit.graph_context).toMatchObject({
        imports: expect.any(Array),
        related_chunks: expect.any(Array),
      });
  });

  test('follows the frames of a trace of Python or JavaScript into the symbols there', async () => {
    const graph = await library();
    const script = `TypeError: Cannot read properties of undefined
    at salt (/home/me/library/src/crypto.ts:7:3)
    at hash (file:///home/me/library/src/crypto.ts:2:18)
    at node:internal/modules/run_main:90:12`;
    const { ids, body } = await search(graph, script);
    expect(ids.slice(0, 2)).toEqual(['fn:src/crypto.ts:salt', 'fn:src/crypto.ts:hash']);
    expect(body.hits[0]?.why).toContain('in the trace');
    const python = await indexed({
      'shop/cart.py': 'def total(items):\n    return add(items)\n\n\ndef add(items):\n    return items.sum\n',
    });
    const trace = `Traceback (most recent call last):
  File "/srv/app/shop/cart.py", line 2, in total
    return add(items)
  File "/srv/app/shop/cart.py", line 6, in add
    return items.sum
AttributeError: 'list' object has no attribute 'sum'`;
    expect((await search(python.graph, trace)).ids.slice(0, 2)).toEqual([
      'fn:shop/cart.py:add',
      'fn:shop/cart.py:total',
    ]);
  });

  test('follows frames of an installed or built copy to the file that it was made from', async () => {
    const { graph } = await indexed({
      'src/flask/app.py':
        'class Flask:\n    def wsgi_app(self):\n        return self.dispatch()\n\n    def dispatch(self):\n        raise KeyError\n',
      'src/flask/json/__init__.py': 'def loads(text):\n    return text\n',
      'src/router/reg-exp.ts': 'export function match() {}\n\nexport function build() {}\n',
      'src/index.ts': 'export function main() {}\n',
      'src/other/index.ts': 'export function main() {}\n',
    });
    const traced = async (text: string) =>
      (await search(graph, text)).body.hits.flatMap(({ id, why }) =>
        why?.includes('in the trace') ? [id] : [],
      );
    expect(
      await traced(`Traceback (most recent call last):
  File "/usr/lib/python3.12/site-packages/flask/app.py", line 1536, in wsgi_app
  File "/usr/lib/python3.12/site-packages/flask/app.py", line 1511, in dispatch
  File "/usr/lib/python3.12/site-packages/other/app.py", line 2, in wsgi_app
  File "/usr/lib/python3.12/json/__init__.py", line 346, in loads
KeyError`),
    ).toEqual(['m:src/flask/app.py:Flask.dispatch', 'm:src/flask/app.py:Flask.wsgi_app']);
    expect(
      await traced(`Error: no route
    at build (/home/me/hono/dist/router/reg-exp.js:90:7)
    at main (/home/me/hono/dist/index.js:3:1)
    at match (/home/me/app/node_modules/elsewhere/dist/router/reg-exp.js:9:7)`),
    ).toEqual(['fn:src/router/reg-exp.ts:build']);
  });

  test('knows a file that a text names, and a name between backquotes', async () => {
    const graph = await library();
    expect((await search(graph, 'typo in crypto.ts')).body.files[0]).toBe('src/crypto.ts');
    const { body } = await search(graph, 'make `renewSession` faster');
    expect(body.hits[0]).toMatchObject({ id: 'fn:src/session.ts:renewSession' });
  });

  test('is narrowed to a folder, a file or a package', async () => {
    const graph = await library();
    for (const scope of ['docs', 'docs/sessions.md'])
      expect((await search(graph, 'session', { scope })).body.hits.map(({ file }) => file)).toEqual([
        'docs/sessions.md',
      ]);
    const packaged = (await search(graph, 'session', { scope: 'library/session' })).body;
    expect(new Set(packaged.hits.map(({ file }) => file))).toEqual(new Set(['src/session.ts']));
  });

  test('keeps order and scores inside a scope or a filter: it only selects', async () => {
    const graph = await library();
    const scored = ({ body }: Awaited<ReturnType<typeof search>>) =>
      body.hits.map(({ id, score }) => ({ id, score }));
    for (const query of ['login with a password', 'expire a session in `session.ts`', 'hash find open']) {
      const all = scored(await search(graph, query, { limit: 50, max_tokens: 20_000 }));
      for (const [chosen, is] of [
        [{ scope: 'src' }, /:src\//],
        [{ scope: 'src/auth.ts' }, /:src\/auth\.ts/],
        [{ scope: 'test' }, /:test\//],
        [{ structure_filter: 'MATCH (f:Function) RETURN f' }, /^fn:/],
      ] as const) {
        const some = scored(await search(graph, query, { limit: 50, max_tokens: 20_000, ...chosen }));
        expect(some, `${query} ${JSON.stringify(chosen)}`).toEqual(all.filter(({ id }) => is.test(id)));
      }
    }
  });

  test('names the nearest folder, file or package in the place of an unknown scope', async () => {
    const graph = await library();
    for (const [scope, meant] of [
      ['scr', 'src'],
      ['src/sesion.ts', 'src/session.ts'],
      ['library/sesion', 'library/session'],
    ] as const)
      for (const asked of [search, pack, codebase])
        await expect(asked(graph, 'session', { scope }), scope).rejects.toMatchObject({
          code: 'NODE_NOT_FOUND',
          suggestion: expect.stringContaining(`Did you mean '${meant}'`),
        });
  });

  test('gives the same answer from a graph that was updated as from a fresh one', async () => {
    const { root, graph } = await indexed(LIBRARY);
    write({ 'src/session.ts': 'export function other(): void {}\n' }, root);
    await graph.spawn('graph_update_files', null, { paths: ['src/session.ts'] });
    write({ 'src/session.ts': LIBRARY['src/session.ts'] ?? '' }, root);
    await graph.spawn('graph_update_files', null, { paths: ['src/session.ts'] });
    const fresh = await open(root);
    await index(fresh);
    for (const query of ['session expires', 'authentication of a password'])
      expect((await search(graph, query)).body.hits).toEqual((await search(fresh, query)).body.hits);
  });

  test('says where there is nothing to find', async () => {
    const graph = await openGraph(write({}), { home: scratch() });
    await index(graph);
    expect((await search(graph, 'session')).body.notes).toEqual(['The project has no files.']);
    await graph.close();
  });
});

describe('a budget', () => {
  test('takes neighbours and texts before rows, and rows only where the caller asks for less', async () => {
    const { graph } = await indexed({
      'src/many.ts': Array.from(
        { length: 60 },
        (_, i) =>
          `/** Parses the header number ${i}. */\nexport function parseHeader${i}(text: string) { return text; }`,
      ).join('\n'),
    });
    const whole = await search(graph, 'parse header', { limit: 50 });
    expect(whole.body.hits.length).toBeGreaterThan(30);
    expect(whole.body.hits.at(-1)).toMatchObject({ graph_context: null });
    expect(whole.body.state.cut.join()).toMatch(
      /^The first \d+ of \d+ hits are shown.*Neighbours are left out/,
    );
    for (const hit of whole.body.hits)
      expect(hit).toMatchObject({
        id: expect.any(String),
        score: expect.any(Number),
        lines: expect.any(String),
      });
    const small = await search(graph, 'parse header', { limit: 50, max_tokens: 500 });
    expect(small.body.hits.length).toBeGreaterThan(0);
    expect(JSON.stringify(small.body.hits).length / 4).toBeLessThanOrEqual(500);
    expect(small.body.state.cut.at(-1)).toMatch(/^The first \d+ of \d+ hits are shown/);
    expect((await search(graph, 'parse header', { max_tokens: 1 })).body.hits).toEqual([]);
    const large = await search(graph, 'parse header', { limit: 50, max_tokens: 20_000 });
    expect(large.body.hits[49]?.signature).toContain('parseHeader');
  });
});

describe('a query', () => {
  test('without a word finds nothing, and says so; an empty one is refused', async () => {
    const graph = await library();
    for (const query of ['?!.,;:', '🎉🎉', '()[]{}', 'the of and', '\u202e\u202d'])
      expect((await search(graph, query)).body, query).toMatchObject({
        hits: [],
        notes: ['The query has no words that could be looked for.'],
      });
    for (const query of ['', '   ', '\n\t'])
      await expect(search(graph, query), query).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('of ten megabytes is cut at both ends, marked, and never rejected', async () => {
    const graph = await library();
    const query = `sessions expire ${'x '.repeat(5_000_000)} renewSession`;
    const { body, ids } = await search(graph, query);
    expect(body.notes[0]).toBe(
      `The query was cut to 10000 of ${query.length} characters, at its start and its end.`,
    );
    expect(ids).toEqual(
      expect.arrayContaining(['fn:src/session.ts:expireSession', 'fn:src/session.ts:renewSession']),
    );
  });

  test('in other scripts, with emoji or hidden characters, is read', async () => {
    const graph = await library();
    expect((await search(graph, '🎉 session 🎉')).ids.length).toBeGreaterThan(0);
    expect((await search(graph, 'se\u200bssion')).ids.length).toBeGreaterThan(0);
    expect((await search(graph, 'جلسة session')).ids.length).toBeGreaterThan(0);
    expect((await search(graph, '会话过期')).body.hits).toEqual([]);
  });
});

describe('what stands word for word', () => {
  const SAID: Files = {
    'package.json': '{"name": "said"}\n',
    'src/context.ts': `export function pushContext(context: Context, working: Context) {
  // Working in a context, outside of an application: pushing a context needs no application.
  return context.working(working, context.application);
}
`,
    'src/messages.ts': `export const NO_APP = 'Working outside of application context. ' +
  'Push one first.';

export function taken(name: string) {
  throw new Error(\`The route \${name} is overwriting an existing route\`);
}

export function overwriting(route: string) {
  return existing(route, route);
}
`,
    'test/context.test.ts': `test('context', () => {
  expect(run()).toThrow('Working outside of application context.');
});
`,
  };

  test('wins over the same words in another order, also around a value', async () => {
    const { graph } = await indexed(SAID);
    const message = await search(graph, 'RuntimeError: Working outside of application context.');
    expect(message.body.hits[0]).toMatchObject({ file: 'src/messages.ts', why: ['says it'] });
    const { ids } = await search(graph, 'The route users is overwriting an existing route');
    expect(ids[0]).toBe('fn:src/messages.ts:taken');
  });

  test('is not looked for in a file that changed since it was indexed', async () => {
    const { graph, root } = await indexed(SAID);
    write({ 'src/messages.ts': 'export const nothing = 1;\n' }, root);
    const { body } = await search(graph, 'Working outside of application context.');
    expect(body.hits.find(({ file }) => file === 'src/messages.ts')?.why).toBeUndefined();
  });
});

describe('words of a question', () => {
  test('lead to other forms, abbreviations and synonyms, and to what a test says of what it calls', async () => {
    const { graph } = await indexed({
      'package.json': '{"name": "forms"}\n',
      'src/sign.ts': 'export function signer(value: string) {\n  return value;\n}\n',
      'src/config.ts': 'export function readConfig() {\n  return {};\n}\n',
      'src/a.ts': 'export function removeEntry() {}\n',
      'src/b.ts': 'export function loadEntry() {}\n',
      'src/limit.ts': 'export function gate(size: number) {\n  return size < 10;\n}\n',
      'test/limit.test.ts':
        "import { gate } from '../src/limit.js';\n\ntest('refuses huge attachments', () => {\n  expect(gate(11)).toBe(false);\n});\n",
    });
    expect((await search(graph, 'signature')).ids[0]).toBe('fn:src/sign.ts:signer');
    expect((await search(graph, 'the configuration')).ids[0]).toBe('fn:src/config.ts:readConfig');
    expect((await search(graph, 'delete an entry')).ids[0]).toBe('fn:src/a.ts:removeEntry');
    const { hits } = (await search(graph, 'refuse huge attachments')).body;
    const gate = hits.find(({ id }) => id === 'fn:src/limit.ts:gate');
    expect(gate).toMatchObject({ why: ['called by hits'], score: expect.any(Number) });
    expect(gate?.score).toBeGreaterThan(0);
  });

  test('that are no words of the project find nothing, whatever they begin with', async () => {
    const { graph } = await indexed({
      'package.json': '{"name": "evidence"}\n',
      'src/asdf.ts': 'export function asdf() {}\n\nexport function qzk() {}\n',
    });
    for (const query of ['asdfghjkl', 'qrrt zzgh kkbb'])
      expect((await search(graph, query)).body.hits, query).toEqual([]);
    expect((await search(graph, 'asdf')).ids[0]).toBe('fn:src/asdf.ts:asdf');
  });
});

describe('an answer', () => {
  test('leaves out tests where it is asked to', async () => {
    const graph = await library();
    const { body } = await search(graph, 'session expires', { tests: false });
    expect(body.hits.length).toBeGreaterThan(0);
    expect([...body.files, ...body.hits.map(({ file }) => file)]).not.toContain('test/session.test.ts');
  });

  test('has the symbol of the name that was asked for first, above what encloses it', async () => {
    const inner = 'function patchChildren() { return patchChildren; }';
    const { graph } = await indexed({
      'src/renderer.ts': `/** patchChildren patchChildren */\nexport function patchChildrenRenderer() {\n  ${inner}\n  return patchChildren() + patchChildren();\n}\n`,
    });
    const { ids, body } = await search(graph, 'patchChildren');
    expect(ids[0]).toBe('fn:src/renderer.ts:patchChildrenRenderer.patchChildren');
    expect(body.hits[0]?.score).toBe(Math.max(...body.hits.map(({ score }) => score)));
  });

  test('says that nothing has the name that was asked for', async () => {
    const graph = await library();
    const unknown = await search(graph, 'expireSessions');
    expect(unknown.body.notes).toEqual([
      'Nothing is named exactly `expireSessions`: hits only share words with it.',
    ]);
    expect((await search(graph, 'xqzzyQwrty')).body.notes).toEqual([
      'Nothing is named exactly `xqzzyQwrty`.',
    ]);
    expect((await search(graph, 'expireSession')).body.notes).toEqual([]);
    expect((await search(graph, 'sessions expire')).body.notes).toEqual([]);
  });

  test('finds files of languages that are not extracted, and says which these are', async () => {
    const { graph } = await indexed({
      ...LIBRARY,
      'cmd/ledger.hs': '-- settle_accounts balances the ledger at midnight.\nsettle_accounts = 1\n',
    });
    const { body } = await search(graph, 'balance the ledger at midnight');
    expect(body.hits[0]).toMatchObject({ kind: 'file', file: 'cmd/ledger.hs' });
    expect(body.notes).toEqual([
      'Not extracted yet: haskell. Such files are found by path and words, their symbols are not known.',
    ]);
  });
});

describe('a structure filter', () => {
  // The questions of S1-26, and what is selected by all that stands in it.
  test.each([
    [
      'hash a password',
      'MATCH (caller)-[:CALLS]->(f:Function {name: $name}) RETURN caller',
      { parameters: { name: 'hash' } },
      [LOGIN],
    ],
    [
      'find a name or compress the archive',
      "MATCH (c:Class)-[:EXTENDS]->(:Class {name: 'Store'}), (c)-[:HAS_METHOD]->(m) RETURN m",
      {},
      ['m:src/database.ts:Archive.compress', 'm:src/database.ts:Database.find'],
    ],
    [
      'hash the text with salt',
      "MATCH (:File {path: 'src/session.ts'})-[:IMPORTS*1..3]->(f:File) RETURN DISTINCT f",
      { limit: 1 },
      ['file:src/crypto.ts'],
    ],
    [
      'authentication',
      "MATCH (f)-[:CALLS]->(m:Method) WHERE m.class_name ENDS WITH 'Database' RETURN DISTINCT f",
      {},
      [LOGIN],
    ],
    ['password', 'MATCH (c:Class) RETURN c', { limit: 1 }, ['cls:src/auth.ts:Authenticator']],
  ])('%s: %s', async (query, structure_filter, input, expected) => {
    const { ids } = await search(await library(), query, { limit: 50, structure_filter, ...input });
    expect(ids.toSorted()).toEqual(expected);
  });

  test('selects files that lead back to themselves', async () => {
    const { graph } = await indexed({
      'src/a.ts': "import './b';\nexport const ping = 1;\n",
      'src/b.ts': "import './a';\nexport const ping = 2;\n",
      'src/c.ts': "import './a';\nexport const ping = 3;\n",
    });
    const { ids } = await search(graph, 'ping', {
      structure_filter: 'MATCH (f:File)-[:IMPORTS]->(:File)-[:IMPORTS]->(f) RETURN DISTINCT f',
    });
    expect(ids.toSorted()).toEqual(['file:src/a.ts', 'file:src/b.ts']);
  });

  test('selects first: what it leaves out is not found, however well it fits; where it selects nothing, nothing', async () => {
    const graph = await library();
    const filtered = async (structure_filter: string) =>
      (await search(graph, 'login of a session', { structure_filter })).body;
    const classes = await filtered('MATCH (c:Class) RETURN c');
    expect(new Set(classes.hits.map(({ kind }) => kind))).toEqual(new Set(['class']));
    expect(classes.candidates).toBe(4);
    const none = await filtered("MATCH (f:Function {name: 'nobody'}) RETURN f");
    expect(none).toMatchObject({ hits: [], files: [], candidates: 0 });
  });

  test('gets parameters; those of the caller win over what is given along', async () => {
    const graph = await library();
    const named = async (parameters: object) =>
      (
        await search(graph, 'session', {
          structure_filter: 'MATCH (f:Function) WHERE $project = f.project OR $query = f.name RETURN f',
          parameters,
        })
      ).body.candidates;
    expect(await named({})).toBeGreaterThan(3);
    expect(await named({ project: 'another' })).toBe(0);
    expect(await named({ project: 'another', query: 'hash' })).toBe(1);
  });

  test('must be a query that reads and whose first column holds nodes', async () => {
    const graph = await library();
    const filtered = (structure_filter: string) => search(graph, 'session', { structure_filter });
    await expect(filtered('MATCH (f:Function) RETURN f.name')).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    await expect(filtered('MATCH (f) DELETE f')).rejects.toMatchObject({
      code: expect.stringMatching(/^CYPHER_/),
    });
    await expect(filtered('no query')).rejects.toMatchObject({ code: 'CYPHER_SYNTAX' });
    await expect(filtered(' ')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('says what it names and the graph does not have', async () => {
    const graph = await library();
    const { body } = await search(graph, 'session', { structure_filter: 'MATCH (f:Funktion) RETURN f' });
    expect(body.hits).toEqual([]);
    expect(body.notes.join('\n')).toContain('Funktion');
  });
});
