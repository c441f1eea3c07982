import { expect, test } from 'vitest';
import { NamedConcepts } from '../../graphs/trace/index.js';
import type { OpenGraph } from '../../index.js';
import { TaskRelatedToConcept } from '../../schema/index.js';
import { GraphAddConcept } from '../../walkers/code/graph-add-concept.js';
import { EtgLogEvent } from '../../walkers/trace/etg-log-event.js';
import { exported, index, indexed, open, write } from './project.js';

const FILES = {
  'src/auth.ts': 'export class Auth {\n  login() { return 1; }\n}\n// TODO: rotate the session keys\n',
  'src/other.ts': 'export class Other {\n  login() { return 2; }\n}\n',
};

async function started(graph: OpenGraph, user_prompt: string): Promise<string> {
  const { output } = await graph.spawn(EtgLogEvent, null, { kind: 'task_start', payload: { user_prompt } });
  return output.task_id;
}

const conceptsOf = (graph: OpenGraph, task: string) =>
  graph.read((tx) => tx.q(task).out(TaskRelatedToConcept).ids());

test('a concept is added once per label, with the symbols and files that carry it, and stays', async () => {
  const { graph } = await indexed(FILES);
  const input = { label: 'session expiry', source: 'issue', description: 'They end too soon.' } as const;
  const first = (await graph.spawn(GraphAddConcept, null, { ...input, symbols: ['Auth.login'] })).output;
  expect(first).toMatchObject({ created: true, symbols: ['m:src/auth.ts:Auth.login'], files: [] });
  const again = (
    await graph.spawn(GraphAddConcept, null, {
      label: 'Session  Expiry',
      files: ['src/auth.ts'],
    })
  ).output;
  expect(again).toMatchObject({ created: false, concept_id: first.concept_id });
  const durable = await exported(graph, 'durable');
  expect(durable.map(({ kind }) => kind)).toEqual([
    'concept',
    'FILE_MENTIONS_CONCEPT',
    'SYMBOL_IMPLEMENTS_CONCEPT',
  ]);
  expect(durable[0]).toMatchObject({
    label: 'session expiry',
    description: 'They end too soon.',
    source: 'issue',
  });
  await index(graph, { mode: 'full' });
  expect(await exported(graph, 'durable')).toEqual(durable);
});

test('a name may lack its first parts, and is never guessed', async () => {
  const { graph } = await indexed(FILES);
  const add = (symbols: string[], files: string[] = []) =>
    graph.spawn(GraphAddConcept, null, { label: 'x', symbols, files });
  expect((await add(['Auth.login'])).output.symbols).toEqual(['m:src/auth.ts:Auth.login']);
  await expect(add(['auth.LOGIN'])).rejects.toMatchObject({ code: 'NODE_NOT_FOUND' });
  await expect(add(['login'])).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    suggestion: expect.stringContaining('m:src/other.ts:Other.login'),
  });
  await expect(add(['Auth.logn'])).rejects.toMatchObject({ code: 'NODE_NOT_FOUND' });
  await expect(add([], ['src/auht.ts'])).rejects.toMatchObject({
    code: 'NODE_NOT_FOUND',
    suggestion: expect.stringContaining('src/auth.ts'),
  });
  await expect(add([], ['../x.ts'])).rejects.toMatchObject({ code: 'PATH_OUTSIDE_ROOT' });
});

test('a task is related to the concepts that its prompt names, whichever was there first', async () => {
  const { graph } = await indexed(FILES);
  const before = await started(graph, 'Fix the session expiry, and rotate the session keys.');
  await started(graph, 'Something else');
  await graph.spawn(GraphAddConcept, null, { label: 'Session expiry' });
  const after = await started(graph, 'sessionExpiry is wrong');
  expect(await conceptsOf(graph, before)).toEqual([
    'concept:added:Session expiry',
    'concept:todo:TODO: rotate the session keys',
  ]);
  expect(await conceptsOf(graph, after)).toEqual(['concept:added:Session expiry']);
});

test('a concept can be stated of a file of a project that was never indexed', async () => {
  const graph = await open(write(FILES));
  const { output } = await graph.spawn(GraphAddConcept, null, { label: 'login', files: ['src/auth.ts'] });
  expect(output).toMatchObject({ created: true, files: ['src/auth.ts'] });
});

test.each([
  ['fix the login flow', 'login flow', true],
  ['fix #12 now', 'TODO(#12): what', true],
  ['see AUTH-7', 'AUTH-7 expires', true],
  ['fix the flow', 'login flow', false],
  ['fix #123', 'TODO: see #12', false],
  ['any code', 'code', false],
  ['any TODO', 'TODO', false],
])('%j and the concept %j: %s', (prompt, label, named) => {
  expect(new NamedConcepts(prompt).names(label)).toBe(named);
});
