import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nameSimilarity } from '../../graphs/code/context/evidence.js';
import { answer } from '../../host/index.js';
import {
  ErrorResolvedByStep,
  FileMentionsConcept,
  Step,
  StepHasError,
  StepInvokesTool,
  Task,
  TaskHasStep,
  ToolInvocation,
  ToolTouchesFile,
  TraceError,
} from '../../schema/index.js';
import { Words } from '../../search/index.js';
import { GraphContextForFiles } from '../../walkers/code/graph-context-for-files.js';
import { storeIn } from './memory/memories.js';
import { commit, contextOf, git, index, indexed, open, repository, scratch, write } from './project.js';

const APART = {
  'src/one.ts': 'export function alpha() { return 1; }\n',
  'lib/two.ts': 'export function beta() { return 2; }\n',
  'etc/three.ts': 'export function gamma() { return 3; }\n',
};

test('files that changed together are near, though no edge of the code joins them', async () => {
  const root = repository();
  commit(root, 'begin with three modules', APART);
  for (let i = 0; i < 12; i++)
    commit(root, `change the protocol number ${i}`, {
      'src/one.ts': `${APART['src/one.ts']}// ${i}\n`,
      'etc/three.ts': `${APART['etc/three.ts']}// ${i}\n`,
    });
  const graph = await open(root);
  await index(graph);
  const { related, concepts } = await contextOf(graph, ['src/one.ts']);
  expect(related?.[0]).toMatchObject({
    path: 'etc/three.ts',
    why: expect.stringContaining('changed together in 13 commits'),
  });
  // Of the commits only the latest ten, the newest first.
  expect(concepts.map(({ label }) => label)).toEqual(
    Array.from({ length: 10 }, (_, i) => `change the protocol number ${11 - i}`),
  );
  const edges = await graph.read(async (tx) => tx.q('file:src/one.ts').out(FileMentionsConcept).edges());
  expect(edges).toHaveLength(13);
});

test('files that are gone since they changed together are not named; those that moved are, where they are now', async () => {
  const root = repository();
  commit(root, 'begin with four modules', {
    ...APART,
    'old/four.ts': 'export function delta() { return 4; }\n',
  });
  for (const path of ['src/one.ts', 'lib/two.ts', 'old/four.ts'])
    appendFileSync(join(root, path), '// more\n');
  commit(root, 'say more in three', {});
  git(root, 'mv', 'lib/two.ts', 'lib/second.ts');
  git(root, 'rm', '--quiet', 'old/four.ts');
  commit(root, 'another name, and one less', {});
  const graph = await open(root);
  await index(graph);
  const { related, symbols } = await contextOf(graph, ['src/one.ts']);
  expect(related?.[0]).toMatchObject({
    path: 'lib/second.ts',
    why: expect.stringContaining('changed together in 2 commits'),
  });
  const named = [...(related ?? []), ...symbols].map(({ path }) => path);
  expect(named.filter((path) => path.startsWith('old/'))).toEqual([]);
});

test('files that earlier tasks touched together are near; a step says what failed and what mended it', async () => {
  const { graph } = await indexed(APART);
  await graph.write(async (tx) => {
    const [one, two] = await tx.nodes(['file:src/one.ts', 'file:lib/two.ts']);
    if (!one || !two) throw new Error('not indexed');
    const task = await tx.create(
      Task(
        { created_at: '2026-01-01T00:00:00Z', user_prompt: 'add units', status: 'success' },
        { id: 'task-1' },
      ),
    );
    for (const [order, file] of [
      [0, one],
      [1, two],
    ] as const) {
      const step = await tx.connect(
        task,
        Step(
          { order, role: 'editing', llm_summary: `step ${order}`, started_at: `2026-01-01T00:0${order}:00Z` },
          { id: `step-${order}` },
        ),
        TaskHasStep({ order }),
      );
      const tool = await tx.connect(
        step,
        ToolInvocation({ tool_name: 'edit' }, { id: `tool-${order}` }),
        StepInvokesTool,
      );
      await tx.connect(tool, file, ToolTouchesFile({ use: 'write' }));
      if (order === 0)
        await tx.connect(
          step,
          TraceError({ error_type: 'test_failure', message: 'expected\u200b 2' }, { id: 'error-0' }),
          StepHasError,
        );
    }
    const [error, fix] = await tx.nodes(['error-0', 'step-1']);
    if (error && fix) await tx.connect(error, fix, ErrorResolvedByStep);
  });
  const { related, etg_steps } = await contextOf(graph, ['src/one.ts']);
  expect(related?.[0]).toMatchObject({
    path: 'lib/two.ts',
    why: expect.stringContaining('touched together in 1 task'),
  });
  expect(etg_steps).toMatchObject([
    {
      id: 'step-0',
      task: { prompt: 'add units', status: 'success' },
      errors: [{ type: 'test_failure', message: 'expected 2' }],
      resolved_by: { id: 'step-1', summary: 'step 1' },
    },
  ]);
});

test('a test is named after what it tests, in any of the usual ways', () => {
  const near = nameSimilarity(new Words());
  for (const path of ['src/auth.test.ts', 'src/auth_test.ts', 'src/test_auth.py', 'tests/src/auth-spec.js'])
    expect(near('src/auth.ts', path)).toBe(2);
  expect(near('src/auth/index.ts', 'src/auth/auth.test.ts')).toBe(2);
  expect(near('src/auth.ts', 'src/mail.ts')).toBe(1);
  expect(near('src/auth.ts', 'lib/mail.ts')).toBe(0);
});

test('an answer is the same whatever was asked before, and follows texts that were indexed again', async () => {
  const files = {
    'src/one.ts': 'export function alpha() { return vault + ledger; }\n',
    'src/two.ts': 'export function beta() { return ledger; }\n',
    'src/three.ts': 'export function gamma() { return 3; }\n',
    'src/four.ts': 'export function delta() { return 4; }\n',
    'src/five.ts': 'export function epsilon() { return 5; }\n',
  };
  const [root, home] = [write(files), scratch()];
  const graph = await open(root, home);
  await index(graph);
  const speaking = async (of = graph) =>
    (await contextOf(of, ['src/one.ts'])).related?.filter(({ why }) => why === 'same words');
  await contextOf(graph, ['src/three.ts', 'src/two.ts']);
  expect((await speaking())?.map(({ path }) => path)).toEqual(['src/two.ts', 'src/two.ts']);
  write({ 'src/two.ts': 'export function beta() { return fields; }\n' }, root);
  write({ 'src/three.ts': 'export function gamma() { return vault; }\n' }, root);
  await index(graph, { mode: 'incremental' });
  const now = await speaking();
  expect(now?.map(({ path }) => path)).toContain('src/three.ts');
  expect(now?.map(({ path }) => path)).not.toContain('src/two.ts');
  await graph.close();
  expect(await speaking(await open(root, home))).toEqual(now);
});

test('what is remembered of files and of what is in them is told, and leads to what else it is about', async () => {
  const { root, graph } = await indexed(APART);
  expect(await contextOf(graph, ['src/one.ts'])).not.toHaveProperty('memories');
  await storeIn(graph, 'Units are inches', {
    type: 'fix',
    importance: 0.9,
    about: ['alpha', 'etc/three.ts'],
  });
  await storeIn(graph, 'Ada *wrote* it', { content: 'In 1843.', about: ['src/one.ts'] });
  await storeIn(graph, 'Elsewhere', { about: ['lib/two.ts'] });
  const rows = [
    { id: 'Units are inches', type: 'fix', freshness: 'fresh', about: ['fn:src/one.ts:alpha'] },
    { id: 'Ada *wrote* it', says: 'In 1843.', freshness: 'fresh', about: ['file:src/one.ts'] },
  ];
  const { memories, related } = await contextOf(graph, ['src/one.ts']);
  expect(memories).toMatchObject(rows);
  expect(related?.[0]).toMatchObject({
    path: 'etc/three.ts',
    why: expect.stringContaining('remembered with it'),
  });
  expect(await contextOf(graph, ['src/one.ts'], { radius: 0 })).toMatchObject({ memories: rows });

  // What it is about changes on disk, elsewhere, where no question has brought it in yet.
  write({ 'etc/three.ts': APART['etc/three.ts'].replace('3', '4') }, root);
  const { output } = await graph.spawn(GraphContextForFiles, null, { file_paths: ['src/one.ts'] });
  expect(output.context_pack.memories?.map(({ freshness }) => freshness)).toEqual(['drifted', 'fresh']);
  expect(output.returnDisplay).toContain('Ada \\*wrote\\* it: In 1843.');
  rmSync(join(root, 'etc/three.ts'));
  expect((await contextOf(graph, ['src/one.ts'])).memories?.[1]).toMatchObject({ freshness: 'orphaned' });
});

test('at a small budget memories lose what they say before any falls', async () => {
  const { graph } = await indexed(APART);
  for (let i = 0; i < 12; i++)
    await storeIn(graph, `Note ${i}`, { content: `${i} `.repeat(150), about: ['src/one.ts'] });
  const ask = async (input: object) => {
    const asked = { file_paths: ['src/one.ts'], ...input };
    const { body } = await answer(graph, 'graph_context_for_files', asked);
    const { context_pack } = body as unknown as { context_pack: Awaited<ReturnType<typeof contextOf>> };
    return { memories: context_pack.memories ?? [], cut: body.state.cut };
  };
  const whole = await ask({});
  expect(whole.memories).toHaveLength(10);
  expect(whole.cut).toEqual(['The first 10 of 12 memories are listed.']);
  const small = await ask({ max_tokens: 800 });
  expect(small.memories).toHaveLength(10);
  expect(small.memories.at(-1)).not.toHaveProperty('says');
  expect(small.cut.join()).toContain('Texts of memories are left out');
});

test('a copy of the file asked for, which only shares its words, is not named', async () => {
  const names = Array.from({ length: 12 }, (_, i) => `part${i}/m${i}.ts`);
  const files: Record<string, string> = {};
  for (const [i, name] of names.entries())
    for (const folder of ['src', 'copied'])
      files[`${folder}/${name}`] =
        `import { f${(i + 1) % 12} } from '../part${(i + 1) % 12}/m${(i + 1) % 12}.js';\nexport function f${i}() { return f${(i + 1) % 12}(); }\n`;
  const { graph } = await indexed({ ...files, 'src/main.ts': '' });
  const { related = [] } = await contextOf(graph, ['src/part3/m3.ts']);
  const folders = related.filter(({ id }) => id.startsWith('file:')).map(({ path }) => path.split('/')[0]);
  expect(folders.length).toBeGreaterThan(3);
  expect(new Set(folders)).toEqual(new Set(['src']));
});
