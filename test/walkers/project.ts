import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { IndexOutput } from '../../graphs/code/index-output.js';
import { type OpenGraph, type OpenOptions, openGraph, type RunOptions } from '../../index.js';
import type { EventKind } from '../../schema/index.js';
import type { ContextOutput } from '../../walkers/code/context-pack.js';
import { GraphContextForFiles } from '../../walkers/code/graph-context-for-files.js';
import type { ExportLine } from '../../walkers/code/graph-export.js';
import { GraphIndexProject } from '../../walkers/code/graph-index-project.js';
import { EtgLogEvent } from '../../walkers/trace/etg-log-event.js';

/** What a project holds: path → text or bytes. A path that ends in `/` is an empty folder. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** A new folder under the system's temporary one, by its real path; gone when the test ends. */
export function scratch(name = 'codewalk-walkers-'): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), name)));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes files, in the order given, into `root` (default: a new folder). Its path. */
export function write(files: Files, root = scratch()): string {
  mkdirSync(root, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    const at = join(root, path);
    mkdirSync(path.endsWith('/') ? at : dirname(at), { recursive: true });
    if (!path.endsWith('/')) writeFileSync(at, content);
  }
  return root;
}

/** Makes everything in a folder one hour older than now: what agents did in the meantime came later. */
export function aged(root: string): string {
  const time = new Date(Date.now() - 3_600_000);
  for (const name of ['.', ...readdirSync(root, { recursive: true, encoding: 'utf8' })])
    utimesSync(join(root, name), time, time);
  return root;
}

/** Makes `root` hold these files and nothing else. */
export function replace(root: string, files: Files): void {
  for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true, force: true });
  write(files, root);
}

/** Opens the graph of a folder: in a home, or in memory, where nobody could open it again. Closed when the test ends. */
export async function open(
  root: string,
  home?: string,
  options: Omit<OpenOptions, 'home'> = {},
): Promise<OpenGraph> {
  const stores = home === undefined ? { home: scratch(), inMemory: true } : { home };
  const graph = await openGraph(root, { ...stores, ...options });
  onTestFinished(() => graph.close());
  return graph;
}

/** Opens copies of a graph that `fill` made: what many tests of a file begin with is made once. */
export function copies<T>(
  files: Files,
  fill: (graph: OpenGraph) => Promise<T>,
): () => Promise<{ graph: OpenGraph; made: T }> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'codewalk-walkers-')));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const [root, home] = [join(folder, 'project'), join(folder, 'home')];
  const filled = async () => {
    const graph = await openGraph(write(files, root), { home });
    const made = await fill(graph);
    await graph.close();
    return made;
  };
  let first: Promise<T> | null = null;
  return async () => {
    first ??= filled();
    const made = await first;
    const own = scratch();
    cpSync(home, own, { recursive: true });
    return { graph: await open(root, own), made };
  };
}

/** Indexes, as the tool does. */
export async function index(
  graph: OpenGraph,
  input: { mode?: 'full' | 'incremental'; include?: string[]; exclude?: string[] } = {},
  options: RunOptions = {},
): Promise<IndexOutput> {
  return (await graph.spawn(GraphIndexProject, null, input, options)).output;
}

/** A folder with these files, opened and indexed. */
export async function indexed(
  files: Files,
): Promise<{ root: string; graph: OpenGraph; output: IndexOutput }> {
  const root = write(files);
  const graph = await open(root);
  return { root, graph, output: await index(graph) };
}

/** The graph of some files, indexed when it is first asked for: for all tests of a file that only read it. */
export function indexedOnce(files: Files): () => Promise<OpenGraph> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'codewalk-walkers-')));
  let graph: Promise<OpenGraph> | null = null;
  const make = async () => {
    const made = await openGraph(write(files, join(folder, 'project')), {
      home: join(folder, 'home'),
      inMemory: true,
    });
    await index(made);
    return made;
  };
  afterAll(async () => {
    await (await graph)?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return () => {
    graph ??= make();
    return graph;
  };
}

/** The lines of an export. */
export async function exported(
  graph: OpenGraph,
  layer: 'derived' | 'durable' | 'all' = 'derived',
): Promise<ExportLine[]> {
  return (await graph.spawn('graph_export', null, { layer })).reports as ExportLine[];
}

/** The export as the bytes that the command writes. */
export async function exportText(graph: OpenGraph): Promise<string> {
  return (await exported(graph)).map((line) => `${JSON.stringify(line)}\n`).join('');
}

const fresh = new Map<string, Promise<string>>();

/** The export of a first index of these files, in a folder and a store of their own; made once. */
export function freshExport(files: Files): Promise<string> {
  const key = createHash('sha256');
  for (const [path, content] of Object.entries(files))
    key.update(`\0${path}\0`).update(content).update(`\0${content.length}`);
  const name = key.digest('hex');
  const known = fresh.get(name) ?? firstExport(files);
  fresh.set(name, known);
  return known;
}

async function firstExport(files: Files): Promise<string> {
  const { graph } = await indexed(files);
  const text = await exportText(graph);
  await graph.close();
  return text;
}

/** What {@link lookAt} answers. */
export interface Look {
  readonly nodes: readonly ExportLine[];
  readonly edges: readonly ExportLine[];
  /** The node with an id. */
  node(id: string): ExportLine | undefined;
  /** The ids of a kind. */
  ids(kind: string): unknown[];
  /** Edges as `from > to`, of a kind. */
  pairs(kind: string): string[];
  /** The edge of a kind between two nodes. */
  edge(kind: string, from: string, to: string): ExportLine | undefined;
}

/** The export, for questions. */
export async function lookAt(graph: OpenGraph): Promise<Look> {
  const lines = await exported(graph);
  const nodes = lines.filter(({ type }) => type === 'node');
  const edges = lines.filter(({ type }) => type === 'edge');
  return {
    nodes,
    edges,
    node: (id) => nodes.find((node) => node.id === id),
    ids: (kind) => nodes.filter((node) => node.kind === kind).map(({ id }) => id),
    pairs: (kind) => edges.filter((edge) => edge.kind === kind).map(({ from, to }) => `${from} > ${to}`),
    edge: (kind, from, to) => edges.find((e) => e.kind === kind && e.from === from && e.to === to),
  };
}

/** What a first index of these files leaves, for questions: the graph is closed again. */
export async function freshLook(files: Files): Promise<Look> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'codewalk-walkers-')));
  try {
    await using graph = await openGraph(write(files, join(folder, 'project')), {
      home: join(folder, 'graphs'),
      inMemory: true,
    });
    await index(graph);
    return await lookAt(graph);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The context pack of files. */
export async function contextOf(
  graph: OpenGraph,
  file_paths: string[],
  input: { radius?: number; max_tokens?: number; symbols?: string[] } = {},
): Promise<ContextOutput['context_pack']> {
  return (await graph.spawn(GraphContextForFiles, null, { file_paths, ...input })).output.context_pack;
}

/** Logs one event of a trace; what it answers. */
export async function log(
  graph: OpenGraph,
  kind: EventKind,
  payload: Record<string, unknown>,
  more: Record<string, unknown> = {},
) {
  return (await graph.spawn(EtgLogEvent, null, { kind, payload, ...more })).output;
}

/** One indexed graph for all tests of a file; they must not change it. */
export function sharedGraph(files: Files): () => OpenGraph {
  let graph: OpenGraph | undefined;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'codewalk-walkers-')));
  beforeAll(async () => {
    graph = await openGraph(write(files, join(folder, 'project')), { home: folder, inMemory: true });
    await index(graph);
  });
  afterAll(async () => {
    await graph?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return () => {
    if (!graph) throw new Error('asked for before the tests');
    return graph;
  };
}

/** An empty git repository. */
export function repository(): string {
  const root = scratch();
  git(root, 'init', '--quiet', '--initial-branch=main');
  return root;
}

/** Runs git as somebody, whatever the machine configures. */
export function git(root: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', ['-C', root, ...identity, ...args], { encoding: 'utf8', stdio: 'pipe' });
}

/** Writes files and commits everything. */
export function commit(root: string, message: string, files: Files, ...args: string[]): void {
  write(files, root);
  git(root, 'add', '--all');
  git(root, 'commit', '--quiet', '--allow-empty', '--message', message, ...args);
}
