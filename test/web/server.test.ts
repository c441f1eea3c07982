import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Scratch } from '../cli/scratch.js';
import { ask, type Explorer, startExplorer } from './explorer.js';

const scratch = new Scratch();
let explorer: Explorer;
beforeAll(async () => {
  await scratch.run(['index', '--quiet']);
  explorer = await startExplorer(scratch);
});
afterAll(async () => {
  await explorer.stop();
  await scratch.remove();
});

const json = { 'content-type': 'application/json' };
const run = (walker: string, input: object, headers: Record<string, string> = {}) =>
  ask(explorer, `/api/walkers/${walker}`, {
    method: 'POST',
    headers: { ...json, ...headers },
    body: JSON.stringify(input),
  });
const view = async (path: string) => JSON.parse((await ask(explorer, `/api/view/${path}`)).text);
const answerOf = async (args: readonly string[]) =>
  JSON.parse((await scratch.run([...args, '--json'])).stdout);

describe('who may ask', () => {
  it.each(['/', '/api/project', '/api/view/tasks', '/api/events', '/app.js', '/nothing'])(
    'nobody without the token: %s',
    async (path) => {
      expect((await ask(explorer, path, { bare: true })).status).toBe(401);
      const wrong = { authorization: `Bearer ${'x'.repeat(explorer.token.length)}` };
      expect((await ask(explorer, path, { bare: true, headers: wrong })).status).toBe(401);
    },
  );

  it('who opens the printed address; a cookie then opens the files of the page, and tells nothing', async () => {
    const page = await ask(explorer, `/?token=${explorer.token}`, { bare: true });
    expect(page.status).toBe(200);
    const [cookie = ''] = [page.headers['set-cookie'] ?? ''].flat();
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict/u);
    expect(cookie).not.toContain(explorer.token);
    const headers = { cookie: `other=1; ${cookie.split(';')[0]}` };
    expect((await ask(explorer, '/', { bare: true, headers })).status).toBe(200);
    expect((await ask(explorer, '/app.js', { bare: true, headers })).status).toBe(200);
    // Browsers send it to whatever listens on another port of this machine.
    for (const path of ['/api/project', '/api/events', '/api/view/tasks'])
      expect((await ask(explorer, path, { bare: true, headers })).status).toBe(401);
  });

  it.each([
    ['another host, as a rebound name has', { host: 'evil.example' }],
    ['another port', { host: '127.0.0.1:1' }],
    ['a page of another origin', { origin: 'https://evil.example' }],
    ['a page without an origin', { origin: 'null' }],
    ['a script of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a script of another port', { 'sec-fetch-site': 'same-site' }],
  ] as const)('not %s, even with the token', async (_who, headers) => {
    expect((await ask(explorer, '/api/project', { headers })).status).toBe(403);
  });

  it('not by an address that names another server', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    for (const path of ['//x/api/project', 'http://127.0.0.1/api/project'])
      expect((await ask(explorer, path, { headers })).status).toBe(400);
  });

  it('gets a page that loads nothing from elsewhere and runs no text', async () => {
    const { headers } = await ask(explorer, '/');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';/u,
    );
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
  });
});

describe('a view', () => {
  it('has the answers of its walkers', async () => {
    const { parts, revision } = await view('symbol/tax');
    const { state, metadata: _, ...callers } = await answerOf(['callers', 'tax']);
    expect(parts.callers.body.results).toEqual(callers.results);
    expect(revision).toBe(state.revision);
    expect(Object.keys(parts)).toEqual(['code', 'callers', 'tests', 'references', 'history']);
  });

  it('takes names as addresses have them', async () => {
    const { parts } = await view(`symbol/${encodeURIComponent('m:src/shop.ts:Basket.total')}`);
    expect(parts.code.body.node).toMatchObject({ kind: 'method', id: 'm:src/shop.ts:Basket.total' });
    expect((await view('file/src/money.ts')).parts.code.body.node.id).toBe('file:src/money.ts');
    const dots = await ask(explorer, `/api/view?path=${encodeURIComponent('symbol/..')}`);
    expect(JSON.parse(dots.text)).toMatchObject({ view: 'symbol', parts: { code: { error: {} } } });
    const query = await ask(explorer, `/api/view?path=${encodeURIComponent('memories?query=why?&tag=x')}`);
    expect(JSON.parse(query.text)).toMatchObject({ view: 'memories' });
  });

  it('of what is not there says so, and shows nothing else', async () => {
    const { parts } = await view('symbol/nowhere_at_all');
    expect(Object.keys(parts)).toEqual(['code']);
    expect(parts.code.error).toMatchObject({ error_code: 'NODE_NOT_FOUND' });
  });

  it.each([
    ['nonsense', 'INVALID_INPUT'],
    ['symbol/%zz', 'INVALID_INPUT'],
  ])('that there is not is refused: %s', async (path, error_code) => {
    const { status, text } = await ask(explorer, `/api/view/${path}`);
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ error_code, suggestion: expect.stringMatching(/./u) });
  });

  it('of a project on which nothing was recorded is empty, not an error', async () => {
    for (const path of ['', 'tasks', 'errors', 'memories', 'health', 'map'])
      for (const part of Object.values((await view(path)).parts)) expect(part).not.toHaveProperty('error');
  });
});

describe('a walker', () => {
  it('that reads is run with its input', async () => {
    const { text } = await run('query_cypher', { query: 'MATCH (f:Function) RETURN f.name AS name' });
    expect(JSON.parse(text).body.results.rows).toEqual([{ name: 'tax' }]);
  });

  it('that refuses its input says why, as an answer', async () => {
    const { status, text } = await run('query_cypher', { query: 'MATCH (f:Function RETURN f' });
    expect(status).toBe(200);
    expect(JSON.parse(text).error).toMatchObject({ error_code: 'CYPHER_SYNTAX' });
  });

  it.each(['graph_index_project', 'etg_log_event', 'trace_forget', 'memory_store'])(
    'that writes is not run: %s',
    async (walker) => {
      expect((await run(walker, {}, { 'x-codewalk-write': 'yes' })).status).toBe(403);
    },
  );

  it('corrects and forgets a memory only where the header says that it is meant; reading counts no use', async () => {
    const { memory_id } = await answerOf(['memory', 'store', 'general', 'Tax', 'It is a fifth.']);
    const change = { memory_id, title: 'The tax' };
    expect((await run('memory_update', change)).status).toBe(403);
    expect(
      (await ask(explorer, '/api/walkers/memory_update', { headers: { 'x-codewalk-write': 'yes' } })).status,
    ).toBe(405);
    expect((await run('memory_update', change, { 'x-codewalk-write': 'yes' })).status).toBe(200);
    expect((await view(`memory/${memory_id}`)).parts.memory.body.memory).toMatchObject({ title: 'The tax' });
    expect((await view(`memory/${memory_id}`)).parts.memory.body.memory).toMatchObject({ usage_count: 0 });
    expect((await run('memory_delete', { memory_id }, { 'x-codewalk-write': 'yes' })).status).toBe(200);
    expect((await view(`memory/${memory_id}`)).parts.memory.error).toMatchObject({
      error_code: 'NODE_NOT_FOUND',
    });
  });

  it.each([
    ['no walker', 'nothing_such', '{}', json, 404],
    ['another type', 'tasks', '{}', { 'content-type': 'text/plain' }, 415],
    ['what is no JSON', 'tasks', '{', json, 400],
    ['what is no object', 'tasks', '[]', json, 400],
    ['too much', 'tasks', `{"a":"${'x'.repeat(1_000_001)}"}`, json, 413],
  ])('is refused with %s', async (_what, walker, body, headers, status) => {
    const reply = await ask(explorer, `/api/walkers/${walker}`, { method: 'POST', headers, body });
    expect(reply.status).toBe(status);
    expect(JSON.parse(reply.text)).toMatchObject({ error: expect.stringMatching(/./u) });
  });
});

it('says when the graph has changed', async () => {
  const { port, token } = explorer;
  const end = new AbortController();
  const events = await fetch(`http://127.0.0.1:${port}/api/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: end.signal,
  });
  const seen: number[] = [];
  let text = '';
  for await (const chunk of events.body ?? []) {
    text += Buffer.from(chunk).toString();
    const revisions = [...text.matchAll(/event: revision\ndata: \{"revision":(\d+)\}/gu)].map(([, n]) =>
      Number(n),
    );
    if (revisions.length > seen.length) {
      if (seen.length === 0) scratch.write('shop', { 'src/new.ts': 'export const fresh = 1;\n' });
      seen.splice(0, seen.length, ...revisions);
    }
    if (seen.length >= 2) break;
  }
  end.abort();
  expect(seen[1]).toBeGreaterThan(seen[0] ?? 0);
  expect((await view('symbol/fresh')).parts.code.body.node).toMatchObject({ path: 'src/new.ts' });
});

it('looking at it starts no daemon and indexes nothing', async () => {
  const { port, token } = explorer;
  await view('symbol/tax');
  const end = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  await fetch(`http://127.0.0.1:${port}/api/events`, { headers, signal: end.signal });
  await scratch.run(['stop', '--quiet']);
  // Several looks long.
  await new Promise((done) => setTimeout(done, 3000));
  expect((await answerOf(['status'])).daemon).toBeNull();
  end.abort();
  expect((await view('symbol/tax')).parts.code.body.node).toMatchObject({ name: 'tax' });
});

describe('the command', () => {
  it('refuses a port that is taken, and what is none', async () => {
    const taken = await scratch.run(['explore', '--no-open', '--port', String(explorer.port)]);
    expect(taken).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error PORT_IN_USE: port \d+ is in use\n/u),
    });
    expect(await scratch.run(['explore', '--no-open', '--port', 'http'])).toMatchObject({ code: 2 });
  });

  it('exports over an earlier export, and over nothing else', async () => {
    const file = join(scratch.write('exports', { 'mine.ts': 'export {};\n' }), 'view.html');
    const args = ['explore', '--view', '/symbol/tax', '--export'];
    expect(await scratch.run([...args, file])).toMatchObject({ code: 0 });
    expect(await scratch.run([...args, file])).toMatchObject({ code: 0 });
    const byAddress = ['explore', '--view', `${explorer.url}#/symbol/tax`, '--export', file, '--json'];
    expect(JSON.parse((await scratch.run(byAddress)).stdout)).toMatchObject({ view: 'symbol/tax' });
    expect(readFileSync(file, 'utf8')).not.toContain(scratch.folder);
    const mine = await scratch.run([...args, file.replace('view.html', 'mine.ts')]);
    expect(mine).toMatchObject({ code: 2, stderr: expect.stringContaining('is there already') });
  });

  it('serves two projects at once, and frees its port when it is ended', async () => {
    const other = await startExplorer(scratch, [
      '--root',
      scratch.write('other', { 'a.py': 'def one(): pass\n' }),
    ]);
    expect(JSON.parse((await ask(other, '/api/project')).text)).toMatchObject({ name: 'other' });
    expect(
      (await ask(other, '/api/project', { headers: { authorization: `Bearer ${explorer.token}` } })).status,
    ).toBe(401);
    expect(await other.stop()).toBe(0);
    const again = await startExplorer(scratch, ['--port', String(other.port)]);
    expect(again.port).toBe(other.port);
    expect(await again.stop()).toBe(0);
  });
});
