import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CodewalkError,
  defineEdge,
  defineNode,
  type EdgeType,
  type NodeType,
  type OpenGraph,
  type OpenOptions,
  openGraph,
  type Transaction,
  z,
} from '../../index.js';

/** The engines that every behaviour of the runtime is shown on. */
export const ENGINES = ['memory', 'level'] as const;
/** One of {@link ENGINES}. */
export type Engine = (typeof ENGINES)[number];

/** A place with a name; durable, as everything that says no layer. */
export const Place = defineNode('Place', {
  name: z.string().default(''),
  size: z.number().nullable().default(null),
});
/** A place that is also something more: for filters on ancestors. */
export const Town = defineNode('Town', { mayor: z.string().default('nobody') }, { extends: Place });
export const Thing = defineNode('Thing', { weight: z.union([z.number(), z.string()]).nullish() });
/** Edges of creation order, with a property that filters find in the adjacency (`km`) and one that they do not. */
export const Road = defineEdge(
  'Road',
  { km: z.number().default(1), sign: z.string().default('') },
  { inline: ['km'] },
);
export const Rail = defineEdge('Rail', { gauge: z.number().default(1435) }, { extends: Road });
export const Likes = defineEdge('Likes', {});
/** Derived code with canonical calls, as the indexer writes it. */
export const Fn = defineNode('Fn', { name: z.string().default('') }, { layer: 'derived', indexes: ['name'] });
export const Method = defineNode('Method', { owner: z.string().default('') }, { extends: Fn });
/** Canonical: one per pair, ordered by where it stands. */
export const Calls = defineEdge(
  'Calls',
  { line: z.number().default(0), column: z.number().default(0), how: z.string().default('') },
  { layer: 'derived', order: 'canonical' },
);
/** What a person notes about code: durable. */
export const Note = defineNode('Note', { text: z.string().default('') });
export const About = defineEdge('About', { why: z.string().default('') });

export const ARCHETYPES: readonly (NodeType | EdgeType)[] = [
  Place,
  Town,
  Thing,
  Road,
  Rail,
  Likes,
  Fn,
  Method,
  Calls,
  Note,
  About,
];

/** Runs `body` with a new graph of {@link ARCHETYPES}, which is gone afterwards. */
export async function withGraph(
  engine: Engine,
  body: (graph: OpenGraph) => Promise<void>,
  options: OpenOptions = {},
): Promise<void> {
  const own = { archetypes: ARCHETYPES, ...options, bare: true };
  if (engine === 'memory') {
    await using graph = await openGraph(':memory:', own);
    await body(graph);
    return;
  }
  await onDisk(async (open) => {
    await using graph = await open(own);
    await body(graph);
  });
}

/** Runs `body` with a way to open one graph on disk again and again. */
export async function onDisk(
  body: (open: (options?: OpenOptions) => Promise<OpenGraph>) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'codewalk-runtime-'));
  const project = join(folder, 'project');
  mkdirSync(project);
  try {
    await body((options = { archetypes: ARCHETYPES }) =>
      openGraph(project, { ...options, home: join(folder, 'graphs'), bare: true }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Makes places called by single words and roads between them: `a>b b>c` makes a, b and c and two roads, in that
 * order; the id of a place is its name.
 */
export async function roads(tx: Transaction, map: string): Promise<void> {
  const ways = map.split(' ').map((way) => way.split('>'));
  for (const name of new Set(ways.flat())) await tx.create(Place({ name }, { id: name }));
  for (const [from = '', to] of ways)
    if (to !== undefined) await tx.connect(await the(tx, from), await the(tx, to), Road());
}

export async function the(tx: Pick<Transaction, 'node'>, id: string) {
  const node = await tx.node(id);
  if (!node) throw new Error(`no node ${id}`);
  return node;
}

/** The code of the error that `action` ends with. */
export async function codeOf(action: () => unknown): Promise<string> {
  try {
    await action();
  } catch (thrown) {
    if (thrown instanceof CodewalkError) return thrown.code;
    throw thrown;
  }
  return 'no error';
}
