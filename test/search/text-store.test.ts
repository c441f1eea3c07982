import { describe, expect, it } from 'vitest';
import { defineWalker, type OpenGraph, Root, type StepsContext, type WriteContext } from '../../index.js';
import {
  clearIndexes,
  defineTextIndex,
  type IndexFamily,
  type MadeDocument,
  madeDocuments,
  rarity,
  readIndex,
  sweepIndexes,
  type TextIndexReader,
  writeIndex,
} from '../../search/index.js';
import { withGraph } from '../runtime/graphs.js';
import { randomFrom } from '../storage/scratch.js';

const NOTES = defineTextIndex('notes', { layer: 'durable', fields: { title: 3, body: 1 } });
const NOTES_FAMILY: IndexFamily = { family: 'notes', layer: 'durable', types: [NOTES] };
const GROUPED = defineTextIndex('grouped', {
  layer: 'durable',
  fields: { title: 3, body: 1 },
  groupOf: (id) => id.slice(0, id.indexOf('/')),
});
type Fields = 'title' | 'body';
type Note = Readonly<Record<Fields, readonly string[]>>;
type Notes = ReadonlyMap<string, Note>;

async function change(graph: OpenGraph, notes: Iterable<readonly [string, Note | null]>): Promise<void> {
  const Change = defineWalker('change', {
    access: 'write',
    on: (w) => [w.entry(Root, (_here, context) => put(context, notes))],
  });
  await graph.spawn(Change);
}

async function put(context: WriteContext, notes: Iterable<readonly [string, Note | null]>): Promise<void> {
  const writer = writeIndex(context, NOTES);
  for (const [id, note] of notes) {
    if (note) writer.put(id, note);
    else writer.remove(id);
  }
  await writer.flush();
}

async function ask<T>(
  graph: OpenGraph,
  use: (index: TextIndexReader<Fields>) => Promise<T>,
  type = NOTES,
): Promise<T> {
  const answers: T[] = [];
  const Ask = defineWalker('ask', {
    on: (w) => [w.entry(Root, async (_here, context) => answers.push(await use(readIndex(context, type))))],
  });
  await graph.spawn(Ask);
  const [answer] = answers;
  if (answer === undefined) throw new Error('nothing was answered');
  return answer;
}

/** How often each word of a note stands in its fields. */
function timesIn(note: Note): ReadonlyMap<string, Readonly<Record<Fields, number>>> {
  const known = TIMES.get(note);
  if (known) return known;
  const times = new Map<string, Record<Fields, number>>();
  for (const field of ['title', 'body'] as const)
    for (const word of note[field]) {
      const own = times.get(word) ?? { title: 0, body: 0 };
      own[field]++;
      times.set(word, own);
    }
  TIMES.set(note, times);
  return times;
}
const TIMES = new WeakMap<Note, ReadonlyMap<string, Readonly<Record<Fields, number>>>>();

function counted(id: string, note: Note): MadeDocument {
  return { id, words: new Map([...timesIn(note)].map(([word, { title, body }]) => [word, [title, body]])) };
}

async function namesUnder(graph: OpenGraph, prefix: string): Promise<string[]> {
  const names: string[] = [];
  await graph.read(async (tx) => {
    for await (const page of tx.blobsUnder(prefix, 'durable')) names.push(...page.map(({ name }) => name));
  });
  return names;
}

/** BM25 as its formula says, BM25+ where having a word counts, over all documents. */
function ranked(
  notes: Notes,
  query: ReadonlyMap<string, number>,
  limit: number,
  { weights = { title: 3, body: 1 }, within = new Set(notes.keys()), having = 0 } = {},
): { id: string; score: number }[] {
  const length = ({ title, body }: Note) => 3 * title.length + body.length;
  const rounded = (size: number) => (size <= 1 ? 1 : 2 ** (Math.round(8 * Math.log2(size)) / 8));
  const all = [...notes.values()];
  const usual = all.reduce((sum, note) => sum + length(note), 0) / Math.max(1, all.length);
  const has = (word: string) => all.filter((note) => timesIn(note).has(word)).length;
  let most = 0;
  const sums = new Map<string, number>();
  for (const [word, weight] of query) {
    const worth = weight * rarity(all.length, has(word));
    most += worth;
    for (const [id, note] of notes) {
      if (!within.has(id)) continue;
      const times = timesIn(note).get(word);
      if (!times) continue;
      const count = weights.title * times.title + weights.body * times.body;
      const damping = 1.2 * (0.25 + (0.75 * rounded(length(note))) / Math.max(1, usual));
      const points = (count / (count + damping) + having) / (1 + having);
      if (count > 0) sums.set(id, (sums.get(id) ?? 0) + worth * points);
    }
  }
  return [...sums]
    .map(([id, sum]) => ({ id, score: sum / most }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, limit);
}

/** Words as texts have them: few that are everywhere, many that are rare. */
function randomNote(random: () => number, size: number): Note {
  const word = () => `w${Math.floor(random() ** 3 * 400)}`;
  const words = (most: number) => Array.from({ length: Math.floor(random() * most) + 1 }, word);
  return { title: words(4), body: words(size) };
}

const close = (rows: readonly { id: string; score: number }[]) =>
  rows.map(({ id, score }) => `${id} ${score.toFixed(9)}`);

describe('an index of texts', () => {
  it.each(['memory', 'level'] as const)(
    'in %s finds what the formula of BM25 finds, also after any changes, and as one that never had others',
    (engine) =>
      withGraph(engine, async (graph) => {
        const random = randomFrom(7);
        const notes = new Map<string, Note>();
        for (let round = 0; round < 6; round++) {
          const changes = new Map<string, Note | null>();
          for (let at = 0; at < (round === 0 ? 900 : 60); at++) {
            const id = `n${Math.floor(random() * 1500)}`;
            changes.set(id, random() < 0.2 ? null : randomNote(random, 30));
          }
          await change(graph, changes);
          for (const [id, note] of changes) {
            if (note) notes.set(id, note);
            else notes.delete(id);
          }
          for (let at = 0; at < 12; at++) {
            const query = new Map(
              randomNote(random, 8).body.map((word) => [word, 1 + Math.floor(random() * 3)]),
            );
            const limit = [1, 5, 40, 2000][at % 4] ?? 1;
            const within = new Set([...notes.keys()].filter(() => random() < 0.1));
            const weights = { title: 1, body: 2 };
            const found = await ask(graph, async (index) => ({
              all: await index.search(query, { limit }),
              some: await index.search(query, { limit, within: [...within, 'nobody'], weights }),
              of: await index.scores(query, within),
              plus: await index.search(query, { limit, having: 0.5 }),
              size: await index.size(),
            }));
            expect(found.size).toBe(notes.size);
            expect(close(found.all)).toEqual(close(ranked(notes, query, limit)));
            expect(close(found.some)).toEqual(close(ranked(notes, query, limit, { within, weights })));
            expect(close(found.plus)).toEqual(close(ranked(notes, query, limit, { having: 0.5 })));
            const scores = [...found.of].map(([id, score]) => ({ id, score }));
            const sorted = scores.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
            expect(close(sorted)).toEqual(close(ranked(notes, query, 2000, { within })));
          }
        }
        const frequencies = await ask(graph, (index) => index.frequencies(['w0', 'w7', 'nowhere']));
        const having = (word: string) =>
          [...notes.values()].filter(({ title, body }) => [...title, ...body].includes(word)).length;
        expect([...frequencies]).toEqual([
          ['w0', having('w0')],
          ['w7', having('w7')],
        ]);
        await change(
          graph,
          [...notes.keys()].map((id) => [id, null]),
        );
        expect(await namesUnder(graph, 'text/')).toEqual(['text/notes/header']);
      }),
  );

  it('changes with the run that writes it, or not at all', () =>
    withGraph('level', async (graph) => {
      const note = { title: ['one'], body: ['two'] };
      const Failing = defineWalker('failing', {
        access: 'write',
        run: async (_here, context) => {
          await put(context, [['n', note]]);
          throw new Error('broken');
        },
      });
      await expect(graph.spawn(Failing)).rejects.toThrow();
      expect(await ask(graph, (index) => index.size())).toBe(0);
      await change(graph, [['n', note]]);
      expect(await ask(graph, (index) => index.documents(['n']).then((found) => found.get('n')))).toEqual({
        id: 'n',
        lengths: [1, 1],
        words: new Map([
          ['one', [1, 0]],
          ['two', [0, 1]],
        ]),
      });
    }));

  it('tells very many documents of one score apart by their ids, in whatever order they came', () =>
    withGraph('memory', async (graph) => {
      const note = { title: ['one'], body: [] };
      const named = (from: number) =>
        Array.from({ length: 2200 }, (_, at) => [`n${from + at}`, note] as const);
      for (const from of [5000, 1000]) await change(graph, named(from));
      await change(graph, [['best', { title: ['one', 'one'], body: [] }]]);
      const found = await ask(graph, (index) => index.search(new Map([['one', 1]]), { limit: 3 }));
      expect(found.map(({ id }) => id)).toEqual(['best', 'n1000', 'n1001']);
    }));

  it('that is cleared finds nothing at once, and what is left of it goes in pieces, as do its earlier forms', () =>
    withGraph('level', async (graph) => {
      const named = (prefix: string) =>
        Array.from({ length: 40 }, (_, at): [string, Note] => [
          `${prefix}${at}`,
          { title: [`${prefix}w${at}`], body: ['all'] },
        ]);
      await change(graph, named('old'));
      const inSteps = async (does: (context: StepsContext) => Promise<void>) => {
        const Do = defineWalker('do', {
          access: 'steps',
          on: (w) => [w.entry(Root, (_, context) => does(context))],
        });
        await graph.spawn(Do);
      };
      await inSteps(async (context) => {
        context.putBlob('text/notes-0/t/word', Buffer.from('x'), 'durable');
        context.putBlob('text/notes/t/word', Buffer.from('x'), 'durable');
        await clearIndexes(context, NOTES_FAMILY);
      });
      expect(await ask(graph, (index) => index.search(new Map([['all', 1]]), { limit: 99 }))).toEqual([]);
      await change(graph, named('new'));
      const most = 10;
      const overs = async () =>
        (await namesUnder(graph, 'text/')).filter((name) => /old|word/.test(name)).length;
      // 40 groups, 40 words of their own and two of other forms.
      const left = [await overs()];
      expect(left).toEqual([82]);
      await inSteps(async (context) => {
        for (let isOver = false; !isOver; ) {
          isOver = (await sweepIndexes(context, NOTES_FAMILY, most)) < most;
          await context.commit();
          left.push(await overs());
        }
      });
      for (const [at, count] of left.entries())
        expect((left[at - 1] ?? 82) - count).toBeLessThanOrEqual(most);
      expect(left.at(-1)).toBe(0);
      const found = await ask(graph, (index) => index.search(new Map([['all', 1]]), { limit: 99 }));
      expect(found.length).toBe(40);
      expect((await ask(graph, (index) => index.frequencies(['all']))).get('all')).toBe(40);
    }));

  it('takes what its documents say as one group, and numbers of those that stay', () =>
    withGraph('level', async (graph) => {
      const groups = new Map<string, Map<string, Note>>();
      const random = randomFrom(11);
      const all = () => new Map([...groups.values()].flatMap((group) => [...group]));
      for (let round = 0; round < 12; round++) {
        for (let at = 0; at < 6; at++) {
          const group = `g${Math.floor(random() * 8)}`;
          const size = Math.floor(random() * 60);
          const ids = Array.from({ length: size }, () => `${group}/n${Math.floor(random() * 90)}`);
          groups.set(group, new Map(ids.sort().map((id) => [id, randomNote(random, 20)])));
        }
        const Put = defineWalker('put', {
          access: 'write',
          run: async (_here, context) => {
            const writer = writeIndex(context, GROUPED);
            for (const [group, notes] of groups)
              if (notes.size === 0) writer.removeGroup(group);
              else writer.putGroup(group, madeDocuments([...notes].map(([id, note]) => counted(id, note))));
            await writer.flush();
          },
        });
        await graph.spawn(Put);
        const notes = all();
        for (let at = 0; at < 5; at++) {
          const query = new Map(randomNote(random, 6).body.map((word) => [word, 1]));
          const within = new Set([...notes.keys()].filter(() => random() < 0.2));
          const found = await ask(
            graph,
            async (index) => ({
              size: await index.size(),
              best: await index.search(query, { limit: 20 }),
              some: await index.search(query, { limit: 20, within }),
              ids: await index.ids(),
            }),
            GROUPED,
          );
          expect(found.size).toBe(notes.size);
          expect(found.ids.sort()).toEqual([...notes.keys()].sort());
          expect(close(found.best)).toEqual(close(ranked(notes, query, 20)));
          expect(close(found.some)).toEqual(close(ranked(notes, query, 20, { within })));
        }
      }
    }));

  it('refuses more fields than it can tell apart', () => {
    const fields = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`f${at}`, 1]));
    expect(() => defineTextIndex('wide', { layer: 'durable', fields })).toThrow(/9 fields/);
  });
});
