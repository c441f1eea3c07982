import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { directHost, rebuildHistory, restoreHistory } from '../../../host/index.js';
import type { OpenGraph } from '../../../index.js';
import { codedError, demand, type Json, libraryIn, linesOf, type Random, type Target } from '../lib.js';
import { writeProject } from '../project.js';

const NOBODY = { release: async () => undefined };
const LAYERS = ['derived', 'durable', 'backups'] as const;
const WAYS = ['flip', 'zero', 'truncate', 'empty', 'delete', 'append', 'mix', 'folder'] as const;

/** One damage, as shares of what there is: names and sizes of files differ from run to run. */
interface Damage {
  readonly layer: (typeof LAYERS)[number];
  readonly file: number;
  readonly way: (typeof WAYS)[number];
  readonly at: number;
  readonly bytes: number;
}

const QUESTIONS: readonly (readonly [walker: string, input: Record<string, unknown>])[] = [
  ['graph_stats', {}],
  ['query_callers', { function_name: 'tax' }],
  ['graph_context_for_files', { file_paths: ['src/money.ts'] }],
  ['search_code', { query: 'round the tax' }],
  ['query_cypher', { query: 'MATCH (a)-[r]->(b) RETURN a, r, b LIMIT 1000' }],
  ['memory_recall', { query: 'tax' }],
  ['memory_search', { query: 'round' }],
  ['etg_query_similar_attempts', { query: 'totals are wrong' }],
  ['tasks', {}],
  ['errors', {}],
];

/** Stores whose files lost bytes: nothing crashes, what can be made again is, and what cannot is never thrown away. */
export const stores: Target = {
  name: 'stores',
  weight: 3,
  async open(place) {
    const { openGraph } = await libraryIn(place);
    const root = writeProject(join(place.scratch, 'shop'));
    const template = join(place.scratch, 'template');
    mkdirSync(template);
    for (const fill of [fillOnce, fillAgain]) {
      // Closed and opened again, so that there are tables beside the log.
      await using graph = await openGraph(root, { home: template });
      await fill(graph);
    }
    await directHost(template).backup(root);
    const whole = await exports(await openGraph(root, { home: template }));
    let nth = 0;
    return {
      generate: (random) => random.times(random.oneOf([1, 1, 1, 2, 4]), () => damageBy(random)),
      async run(input) {
        const damages = (Array.isArray(input) ? input : []) as unknown as (Damage | null)[];
        const home = join(place.scratch, `h${nth++}`);
        cpSync(template, home, { recursive: true });
        const done = damages.filter((damage) => damage !== null).filter((damage) => damaged(home, damage));
        const backups = backupsIn(home);
        let graph: OpenGraph | null = null;
        const errors = [];
        const attempt = async (work: () => Promise<unknown>) => {
          const error = await codedError(work);
          if (error?.code === 'STORE_CORRUPT')
            demand(error.suggestion !== '', 'says-what-to-do', () => error.message);
          if (error) errors.push(error);
        };
        await attempt(async () => {
          graph = await openGraph(root, { home });
        });
        const opened = graph as OpenGraph | null;
        if (opened) {
          for (const [walker, given] of QUESTIONS) await attempt(() => opened.spawn(walker, null, given));
          await attempt(() => opened.spawn('graph_index_project', null, {}));
          await attempt(() => opened.spawn('graph_export', null, { layer: 'all' }));
          await attempt(() => opened.close());
        }
        const touched = new Set(done.map(({ layer }) => layer));
        if (!touched.has('durable') && opened && errors.length === 0) {
          const now = await exports(await openGraph(root, { home }));
          demand(
            now.memories === whole.memories,
            'durable-kept',
            'memories are others, and only code was damaged',
          );
          demand(now.code === whole.code, 'made-again', 'indexed again, the code graph is another');
        }
        demand(backupsIn(home) === backups, 'durable-kept', 'a backup changed');
        if (touched.size === 1 && !touched.has('backups')) {
          // What an error says to do fixes it: the one is moved away, the other rebuilt. What LevelDB reads as another text
          // without noticing, only a backup has.
          if (touched.has('derived'))
            for (const folder of foldersOf(home, 'derived')) rmSync(folder, { recursive: true });
          else {
            await rebuildHistory(root, NOBODY, { home });
            await restoreHistory(root, 'latest', NOBODY, { home });
          }
          const again = await openGraph(root, { home });
          await again.spawn('graph_index_project', null, {});
          const now = await exports(again);
          demand(now.memories === whole.memories, 'mended', `of ${whole.memories}\nthere is ${now.memories}`);
          demand(now.code === whole.code, 'mended', 'the code graph is another');
        }
        const hasDurable = LAYERS.slice(1).every(
          (layer) => foldersOf(home, layer).length > 0 || touched.has(layer),
        );
        demand(hasDurable, 'durable-kept', 'a folder of the durable layer is gone');
        rmSync(home, { recursive: true, force: true });
      },
    };
  },
};

async function fillOnce(graph: OpenGraph): Promise<void> {
  await graph.spawn('graph_index_project', null, {});
  for (const memory_id of ['mem_one', 'mem_two'])
    await graph.spawn('memory_store', null, {
      type: 'fix',
      title: `Tax of ${memory_id}`,
      content: 'Round it once.',
      memory_id,
      about: ['src/money.ts'],
      anyway: true,
    });
}

async function fillAgain(graph: OpenGraph): Promise<void> {
  const link = { from_memory_id: 'mem_one', to_memory_id: 'mem_two', relationship_type: 'SOLVES' };
  await graph.spawn('memory_link', null, link);
  const log = (kind: string, payload: object) =>
    graph.spawn('etg_log_event', null, { kind, payload, task_id: 'task-1', session_id: 's' });
  await log('task_start', { user_prompt: 'Totals are wrong' });
  await log('error', {
    error_type: 'test_failure',
    message: 'expected 2, got 3',
    failing_tests: ['adds tax'],
  });
  await log('task_end', { status: 'success' });
}

async function exports(graph: OpenGraph): Promise<{ memories: string; code: string }> {
  await using open = graph;
  const [memories, code] = [await linesOf(open, 'memory_export'), await linesOf(open, 'graph_export')];
  return { memories: memories.join('\n'), code: code.join('\n') };
}

function damageBy(random: Random): Json {
  return {
    layer: random.oneOf(LAYERS),
    file: random.below(1000) / 1000,
    way: random.oneOf(WAYS),
    at: random.below(1000) / 1000,
    bytes: random.oneOf([1, 1, 4, 64, 4096]),
  };
}

/** Damages a file; false where there is none. */
function damaged(home: string, { layer, file, way, at, bytes }: Damage): boolean {
  if (!LAYERS.includes(layer) || !WAYS.includes(way)) return false;
  const files = foldersOf(home, layer).flatMap((folder) =>
    readdirSync(folder)
      .sort()
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).isFile()),
  );
  const path = files[Math.floor(Math.min(0.999, Number(file) || 0) * files.length)];
  if (path === undefined) return false;
  const content = readFileSync(path);
  const from = Math.floor((Number(at) || 0) * content.length);
  const to = Math.min(content.length, from + (Number(bytes) || 1));
  switch (way) {
    case 'flip':
      for (let place = from; place < to; place++) content[place] = (content[place] ?? 0) ^ 0x55;
      writeFileSync(path, content);
      break;
    case 'zero':
      writeFileSync(path, content.fill(0, from, to));
      break;
    case 'truncate':
      truncateSync(path, from);
      break;
    case 'empty':
      truncateSync(path, 0);
      break;
    case 'append':
      appendFileSync(path, Buffer.alloc(to - from, 0xa5));
      break;
    case 'mix':
      writeFileSync(path, readFileSync(files[(files.indexOf(path) + 1) % files.length] ?? path));
      break;
    default:
      rmSync(path);
      if (way === 'folder') mkdirSync(path);
  }
  return true;
}

function foldersOf(home: string, layer: string): string[] {
  return readdirSync(home)
    .map((name) => join(home, name, layer))
    .filter((folder) => existsSync(folder));
}

function backupsIn(home: string): string {
  const files = foldersOf(home, 'backups').flatMap((folder) =>
    readdirSync(folder)
      .sort()
      .map((name) => join(folder, name)),
  );
  return files.map((file) => (statSync(file).isFile() ? readFileSync(file, 'base64') : '')).join(' ');
}
