import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { OpenGraph } from '../../../index.js';
import { MemoryAbout } from '../../../schema/index.js';
import { MemoryGet } from '../../../walkers/memory/memory-get.js';
import { Errors } from '../../../walkers/trace/errors.js';
import { Sessions } from '../agent-sessions.js';
import { index, indexed, write } from '../project.js';
import { emptyGraph, storeIn } from './memories.js';

const LOGIN = 'export function login(name) {\n  return name.trim();\n}\n';
const LOGOUT = 'export function logout() {\n  return null;\n}\n';

/** Two functions in one file, and a memory of each, of the file and of a file that is not indexed. */
async function bound() {
  const { root, graph } = await indexed({
    'src/auth.js': `${LOGIN}\n${LOGOUT}`,
    'notes.unknown': 'Ask Ada.\n',
  });
  const about = { login: 'login', logout: 'logout', file: 'src/auth.js', notes: 'notes.unknown' };
  for (const [title, name] of Object.entries(about)) await storeIn(graph, title, { about: [name] });
  return { root, graph };
}

/** What memories say of their subjects, in the order of the ids; default: login, logout, file, notes. */
async function states(graph: OpenGraph, ...ids: readonly string[]) {
  const found: unknown[] = [];
  for (const memory_id of ids.length > 0 ? ids : ['login', 'logout', 'file', 'notes'])
    found.push((await graph.spawn(MemoryGet, null, { memory_id })).output.freshness);
  return found.join(' ');
}

test('what did not change since a memory was bound to it is fresh', async () => {
  const { graph } = await bound();
  expect(await states(graph)).toBe('fresh fresh fresh fresh');
  const { about } = (await graph.spawn(MemoryGet, null, { memory_id: 'login' })).output;
  expect(about).toEqual([{ id: 'fn:src/auth.js:login', kind: 'symbol', state: 'fresh' }]);
});

test('an edit makes its symbol and its file drift, not what stands elsewhere in the file', async () => {
  const { root, graph } = await bound();
  const edited = `// Two lines\n// more\n${LOGIN.replace('trim', 'trimEnd')}\n${LOGOUT}`;
  write({ 'src/auth.js': edited, 'notes.unknown': 'Ask Bob.\n' }, root);
  const expected = 'drifted fresh drifted drifted';
  expect(await states(graph)).toBe(expected);
  await index(graph);
  expect(await states(graph)).toBe(expected);
  write({ 'src/auth.js': `${LOGIN}\n${LOGOUT}` }, root);
  expect(await states(graph, 'login', 'file')).toBe('fresh fresh');
});

test('what was removed or renamed leaves its memories orphaned, and fresh when it is back', async () => {
  const { root, graph } = await bound();
  write({ 'src/auth.js': LOGIN }, root);
  await index(graph);
  expect(await states(graph)).toBe('fresh orphaned drifted fresh');
  renameSync(join(root, 'src/auth.js'), join(root, 'src/session.js'));
  expect(await states(graph, 'login', 'file')).toBe('orphaned orphaned');
  await index(graph);
  rmSync(join(root, 'notes.unknown'));
  expect(await states(graph)).toBe('orphaned orphaned orphaned orphaned');
  write({ 'src/auth.js': `${LOGIN}\n${LOGOUT}` }, root);
  await index(graph);
  expect(await states(graph, 'login', 'logout', 'file')).toBe('fresh fresh fresh');
});

test('tasks and errors are named by the beginning of their ids, and only as such', async () => {
  const graph = await emptyGraph();
  const agents = new Sessions(graph);
  const { task_id } = await agents.log('task_start', { user_prompt: 'Trim less' }, 's1');
  await agents.log('error', { error_type: 'tool_error', message: 'no name' }, 's1');
  const [error] = (await graph.spawn(Errors, null, {})).output.errors;
  const error_id = error?.error_id ?? '';
  const about = [task_id, error_id].map((id) => id.slice(0, -4));
  await storeIn(graph, 'both', { about });
  const { about: bound } = (await graph.spawn(MemoryGet, null, { memory_id: 'both' })).output;
  expect(new Set(bound.map(({ id }) => id))).toEqual(new Set([task_id, error_id]));
  for (const name of ['task:nope', 'error:nope', 'error:'])
    await expect(storeIn(graph, 'none', { about: [name] })).rejects.toMatchObject({ code: 'NODE_NOT_FOUND' });
});

test('what holds secrets, and what git ignores, is never opened, not even for a hash', async () => {
  const { graph } = await indexed({
    '.env': 'TOKEN=of no use\n',
    '.gitignore': 'private/\n*.local\n',
    'private/plan.md': 'plan\n',
    'notes.local': 'notes\n',
    'notes.md': 'open\n',
  });
  const paths = ['.env', 'private/plan.md', 'notes.local', 'notes.md'];
  await storeIn(graph, 'memory', { about: paths });
  const edges = await graph.read(async (tx) => tx.q(['memory']).out(MemoryAbout).edges());
  const hashes = edges.map(({ to, content_hash }) => [to, content_hash]);
  expect(hashes).toEqual([
    ['file:.env', null],
    ['file:notes.local', null],
    ['file:notes.md', expect.stringMatching(/^[0-9a-f]{64}$/)],
    ['file:private/plan.md', null],
  ]);
  const { about } = (await graph.spawn(MemoryGet, null, { memory_id: 'memory' })).output;
  expect(about.map(({ state }) => state)).toEqual(['unchecked', 'unchecked', 'fresh', 'unchecked']);
});

test('a symbol is bound as its file says now, indexed or not', async () => {
  const { root, graph } = await indexed({ 'src/auth.js': `${LOGIN}\n${LOGOUT}` });
  const edited = `// Two lines\n// more\n${LOGIN.replace('trim', 'trimEnd')}\n${LOGOUT}`;
  write({ 'src/auth.js': edited }, root);
  await storeIn(graph, 'login', { about: ['login'] });
  expect(await states(graph, 'login')).toBe('fresh');
  await index(graph);
  expect(await states(graph, 'login')).toBe('fresh');
  write({ 'src/auth.js': edited.replace('trimEnd', 'trimStart') }, root);
  expect(await states(graph, 'login')).toBe('drifted');
});
