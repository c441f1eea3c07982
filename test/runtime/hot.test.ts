import { describe, expect, it } from 'vitest';
import {
  defineNode,
  defineWalker,
  type EdgeType,
  type NodeDraft,
  type NodeRef,
  type NodeType,
  type OpenGraph,
  propsOf,
  type Transaction,
  z,
} from '../../index.js';
import { randomFrom } from '../storage/scratch.js';
import {
  About,
  ARCHETYPES,
  Calls,
  ENGINES,
  Fn,
  Likes,
  Method,
  Note,
  Place,
  Rail,
  Road,
  Thing,
  Town,
  the,
  withGraph,
} from './graphs.js';
import { withWorktrees } from './worktrees.js';

/** Something with a value that is not plain. */
const Bag = defineNode('Bag', { things: z.array(z.string()) });

type Random = () => number;

const IDS = Array.from({ length: 24 }, (_, at) => `n${at}${at % 5 === 0 ? 'ä→' : ''}`);
const NODES = [Place, Town, Thing, Fn, Method, Note];
const DRAFTS: ((id: string) => NodeDraft)[] = [
  (id) => Place({}, { id }),
  (id) => Town({ name: 'hub' }, { id }),
  (id) => Thing({ weight: 2 }, { id }),
  (id) => Fn({}, { id }),
  (id) => Method({ name: 'm' }, { id }),
  (id) => Note({}, { id }),
];
const EDGES = [Road, Rail, Likes, Calls, About];
const DIRECTIONS = ['out', 'in', 'any'] as const;

describe.each(ENGINES)('paths that are answered from memory, on %s', (engine) => {
  it('answer as those that are read from the store, after every commit', () =>
    withGraph(engine, async (graph) => {
      const random = randomFrom(5);
      await graph.write((tx) => hub(tx, 'n1', 300));
      for (let round = 0; round < 12; round += 1) {
        await graph.write((tx) => change(tx, random));
        const questions = Array.from({ length: 12 }, () => question(random));
        const stored = await fromStore(graph, questions);
        expect(await graph.read((tx) => ask(tx, questions))).toEqual(stored);
        expect(await graph.read((tx) => ask(tx, questions))).toEqual(stored);
      }
    }));

  it('stay those of the version that a run began with, whatever others read and commit', () =>
    withGraph(engine, async (graph) => {
      const random = randomFrom(6);
      await graph.write((tx) => hub(tx, 'n1', 300));
      const waiting: { run: Promise<unknown>; stored: unknown; end: () => void }[] = [];
      for (let round = 0; round < 10; round += 1) {
        await graph.write((tx) => change(tx, random));
        const questions = Array.from({ length: 10 }, () => question(random));
        const stored = await fromStore(graph, questions);
        let end = () => {};
        const until = new Promise<void>((resolve) => {
          end = resolve;
        });
        const run = graph.read(async (tx) => {
          await until;
          return ask(tx, questions);
        });
        waiting.push({ run, stored, end });
        if (round % 2 === 0) await graph.read((tx) => ask(tx, questions));
        if (waiting.length < 4) continue;
        const oldest = waiting.shift();
        oldest?.end();
        expect(await oldest?.run).toEqual(oldest?.stored);
        expect(await graph.read((tx) => ask(tx, questions))).toEqual(stored);
      }
      for (const { run, stored, end } of waiting) {
        end();
        expect(await run).toEqual(stored);
      }
    }));
});

it('what another worktree writes to the durable layer is seen, and its code is not', () =>
  withWorktrees({ archetypes: ARCHETYPES, bare: true }, async (openMain, openOther) => {
    await using main = await openMain();
    await using other = await openOther();
    const random = randomFrom(7);
    for (let round = 0; round < 8; round += 1) {
      await (round % 2 === 0 ? main : other).write((tx) => change(tx, random));
      const questions = Array.from({ length: 8 }, () => question(random));
      for (const graph of [main, other]) {
        const stored = await fromStore(graph, questions);
        expect(await graph.read((tx) => ask(tx, questions))).toEqual(stored);
        expect(await graph.read((tx) => ask(tx, questions))).toEqual(stored);
      }
    }
  }));

it('a commit of a whole index takes nothing from who reads the version before', () =>
  withGraph('memory', async (graph) => {
    await graph.write((tx) => hub(tx, 'n1', 20));
    const reached = (tx: Transaction) => tx.q('n1').out(Likes).ids();
    const before = await graph.read(reached);
    let end = () => {};
    const until = new Promise<void>((resolve) => {
      end = resolve;
    });
    const old = graph.read(async (tx) => {
      await until;
      return reached(tx);
    });
    await graph.write(async (tx) => {
      await tx.putAll(Array.from({ length: 9000 }, (_, at) => Place({}, { id: `p${at}` })));
      await tx.connect(await the(tx, 'n1'), await the(tx, 'p1'), Likes);
    });
    const after = await graph.read(reached);
    end();
    expect(await old).toEqual(before);
    expect(after).toEqual([...before, 'p1']);
  }));

it('a node from memory cannot be changed, nor what it holds', () =>
  withGraph(
    'memory',
    async (graph) => {
      await graph.write((tx) => tx.create(Bag({ things: ['x'] }, { id: 'a' })));
      const bag = async () => (await graph.read((tx) => tx.nodesOf(Bag, ['a'])))[0];
      const [first, second] = [await bag(), await bag()];
      expect(second?.things).toEqual(['x']);
      expect(first).toEqual(second);
      expect(() => Object.assign(second ?? {}, { things: [] })).toThrow(TypeError);
      expect(() => second?.things.push('y')).toThrow(TypeError);
    },
    { archetypes: [...ARCHETYPES, Bag] },
  ));

it('what was read once of the code graph takes no round trip when it is asked for again', () =>
  withGraph('level', async (graph) => {
    await graph.write(async (tx) => {
      const [one, other] = await tx.createAll([Fn({}, { id: 'n1' }), Fn({}, { id: 'n2' })]);
      await tx.connect([one, other] as NodeRef[], other as NodeRef, Calls({ line: 1, how: 'y' }));
    });
    const Ask = defineWalker('ask', {
      access: 'read',
      start: () => [],
      on: () => [],
      finish: async ({ context }) => {
        await context.q('n1').out(Calls).out(Calls).ids();
        await context.q('n1').out(Calls, { how: 'y' }).edges();
      },
    });
    const trips = async () => (await graph.spawn(Ask)).figures.roundTrips;
    expect(await trips()).toBeGreaterThan(0);
    expect(await trips()).toBe(0);
  }));

/** One node with many edges: its record is cut into chunks. */
async function hub(tx: Transaction, id: string, edges: number): Promise<void> {
  const from = await tx.create(Place({ name: 'hub' }, { id }));
  const far = await tx.createAll(
    Array.from({ length: edges }, (_, at) => Place({}, { id: `far${(7 * at) % edges}` })),
  );
  await tx.connect(from, far, Likes);
  await tx.connect(far.slice(0, 3), from, Calls({ line: 3 }));
}

/** Random writes of all kinds: new nodes, other archetypes, edges one way, both ways and to oneself, deletions. */
async function change(tx: Transaction, random: Random): Promise<void> {
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const some = (most: number) => Math.floor(random() * most);
  for (let at = some(6); at > 0; at -= 1) await tx.create(one(DRAFTS)(one(IDS)));
  const nodes = (await tx.nodes(IDS)).filter((node): node is NodeRef => node !== undefined);
  for (let at = some(4); at > 0; at -= 1) {
    const gone = one(nodes);
    if (random() < 0.5) await tx.del(gone);
    else await tx.disconnect(gone, nodes, { edge: one(EDGES) as EdgeType, direction: one(DIRECTIONS) });
  }
  const left = (await tx.nodes(IDS)).filter((node): node is NodeRef => node !== undefined);
  for (let at = some(24); at > 0; at -= 1) {
    const edge = one([
      Road({ km: some(4), sign: one(['', 'x']) }),
      Rail({ km: some(4) }),
      Likes(),
      Calls({ line: some(3), column: some(3), how: one(['', 'y']) }),
      About(),
    ]);
    await tx.connect(one(left), one(left), edge, { undirected: random() < 0.25 });
  }
}

type Question = (tx: Transaction) => Promise<unknown>;

/** A random path, asked in one of the ways in which it can be. */
function question(random: Random): Question {
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const origin = Array.from({ length: 1 + Math.floor(random() * 3) }, () => one(IDS));
  const hops = Array.from({ length: 1 + Math.floor(random() * 3) }, () => ({
    direction: one(DIRECTIONS),
    edge: one([undefined, ...EDGES]) as EdgeType | undefined,
    where: random() < 0.2 ? one([{ km: { gte: 2 } }, { how: 'y' }, { line: 1 }]) : undefined,
    node: random() < 0.3 ? (one(NODES) as NodeType) : undefined,
    isNamed: random() < 0.2,
  }));
  const form = one(['ids', 'nodes', 'edges', 'entries'] as const);
  return async (tx) => {
    if (form === 'entries') {
      const [hop] = hops;
      const entries = await tx.entries(origin, hop?.direction ?? 'out', hop?.edge ?? null);
      return entries.map((list) =>
        list.map(({ edgeType, far, farType, outgoing, undirected, seq, props }) => [
          [edgeType, far, farType, outgoing, undirected, seq],
          props,
        ]),
      );
    }
    let path = tx.q(origin);
    for (const { direction, edge, where, node, isNamed } of hops) {
      path = path[direction](edge, where as never);
      if (node) path = path.of(node);
      if (isNamed) path = path.where({ gone: { ne: true }, name: { ne: 'hub' } });
    }
    if (form === 'ids') return path.ids();
    if (form === 'edges')
      return (await path.edges()).map((edge) => [edge.id, edge.undirected, propsOf(edge)]);
    return (await path).map((node) => [node.id, node.archetype.name, node.gone, propsOf(node)]);
  };
}

async function ask(tx: Transaction, questions: readonly Question[]): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const one of questions) answers.push(await one(tx));
  return answers;
}

/** What a run answers that may write: it reads what is stored. */
function fromStore(graph: OpenGraph, questions: readonly Question[]): Promise<unknown[]> {
  return graph.write((tx) => ask(tx, questions));
}
