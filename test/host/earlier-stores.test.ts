import { cpSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { answer, listProjects, openGraph } from '../../host/index.js';
import { Step, Task, ToolInvocation, TraceError, TraceEvent } from '../../schema/index.js';
import { openLevelStore, pathHash } from '../../storage/index.js';
import { scratchFolders } from '../storage/scratch.js';

const STORES = fileURLToPath(new URL('../storage/fixtures/stores', import.meta.url));
/** With what else is said of a store: whether it holds the events of a task. */
const COMMITS = readdirSync(STORES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => [name, name !== '525241a'] as const);

const SHOP = {
  'src/money.ts':
    '/** The part of the state. */\nexport function tax(price: number): number {\n  return price * 0.2;\n}\n',
  'src/shop.ts': [
    "import { tax } from './money.js';\n",
    'export class Basket {',
    '  total(price: number): number {',
    '    return price + tax(price);',
    '  }',
    '}\n',
  ].join('\n'),
};

const scratch = scratchFolders();

/** A project with the stores that a commit wrote for it; none: one of today. */
function place(commit: string | null): { root: string; home: string } {
  const folder = realpathSync.native(scratch());
  const [root, home] = [join(folder, 'shop'), join(folder, 'graphs')];
  mkdirSync(join(root, 'src'), { recursive: true });
  for (const [path, text] of Object.entries(SHOP)) writeFileSync(join(root, path), text);
  if (commit !== null) cpSync(join(STORES, commit), join(home, pathHash(root)), { recursive: true });
  return { root, home };
}

/** The code graph after an index, as its export tells it, without times of files. */
async function indexed({ root, home }: { root: string; home: string }): Promise<string[]> {
  await using graph = await openGraph(root, { home });
  await answer(graph, 'graph_index_project', { mode: 'incremental' });
  const { reports } = await graph.spawn('graph_export', null, { layer: 'derived' });
  return reports.map((line) =>
    JSON.stringify(line).replaceAll(/"(?:mtime|mtime_ms|modified_at)":[^,}]+/g, ''),
  );
}

describe('the stores of earlier commits', () => {
  it('are there', () => {
    expect(COMMITS.length).toBeGreaterThan(3);
  });

  it.each(COMMITS)('(%s) open; the next index makes the graph that a first one makes', async (commit) => {
    expect(await indexed(place(commit))).toEqual(await indexed(place(null)));
  });

  it.each(COMMITS)('(%s) keep their traces, which go on', async (commit, traced) => {
    const { root, home } = place(commit);
    await indexed({ root, home });
    await using graph = await openGraph(root, { home });
    const counts = () =>
      graph.read(async (tx) => {
        const types = [Task, Step, ToolInvocation, TraceError, TraceEvent];
        return Promise.all(types.map(async (type) => (await tx.findIds(type)).length));
      });
    expect(await counts()).toEqual(traced ? [1, 1, 1, 1, 6] : [0, 0, 0, 0, 0]);
    const more = { kind: 'step', payload: { order: 2, llm_summary: 'Again' }, session_id: 's1' };
    await answer(graph, 'etg_log_event', more);
    const tasks = await graph.read((tx) => tx.find(Task));
    expect(tasks.map(({ user_prompt }) => user_prompt)).toEqual([traced ? 'Mend the tax of the basket' : '']);
    const steps = await graph.read((tx) => tx.find(Step));
    const said = steps.map(({ llm_summary }) => llm_summary).sort();
    expect(said).toEqual(traced ? ['Again', 'Run the tests'] : ['Again']);
    const context = await answer(graph, 'graph_context_for_files', { file_paths: ['src/money.ts'] });
    expect(context.body).toMatchObject({
      context_pack: { etg_steps: traced ? [{ summary: 'Run the tests' }] : [] },
    });
    expect(listProjects({ home })).toMatchObject([{ root, files: 2 }]);
  });
});

describe('a store of the code graph that cannot be read', () => {
  it.each([
    ['LevelDB cannot open', (folder: string) => writeFileSync(join(folder, 'CURRENT'), 'nothing')],
    ['has another header', (folder: string) => writeHeader(folder)],
  ])('that %s is made anew, and what was recorded stays', async (_, damage) => {
    const { root, home } = place(null);
    const before = await openGraph(root, { home });
    await before.spawn('graph_index_project');
    await before.spawn('etg_log_event', null, {
      kind: 'task_start',
      payload: { user_prompt: 'Mend the tax' },
    });
    await before.close();
    await damage(join(home, pathHash(root), 'derived'));
    const after = await openGraph(root, { home });
    await expect(after.spawn('graph_stats')).rejects.toMatchObject({ code: 'PROJECT_NOT_INDEXED' });
    expect((await answer(after, 'tasks', {})).markdown).toContain('Mend the tax');
    const { output } = await after.spawn('graph_index_project', null, { mode: 'incremental' });
    expect(output).toMatchObject({ files_indexed: 2 });
    await after.close();
  });
});

async function writeHeader(folder: string): Promise<void> {
  const store = await openLevelStore(folder);
  for await (const page of store.scan({ from: Buffer.from([0]), to: Buffer.from([0xff]), limit: 1 }))
    for (const [key] of page) await store.write([{ key, value: Buffer.from('{') }]);
  await store.close();
}
