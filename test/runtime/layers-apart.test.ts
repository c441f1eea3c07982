import { expect, test } from 'vitest';
import type { GraphTransaction, OpenGraph } from '../../index.js';
import { Calls, Fn, Note, the, withGraph } from './graphs.js';

/** Runs a writer that waits, after its first attempt has read, until `meanwhile` is committed; its attempts. */
async function attemptsBeside(
  graph: OpenGraph,
  read: (tx: GraphTransaction) => Promise<unknown>,
  write: (tx: GraphTransaction) => Promise<unknown>,
  meanwhile: (tx: GraphTransaction) => Promise<unknown>,
): Promise<number> {
  let attempts = 0;
  await graph.write(async (tx) => {
    attempts++;
    await read(tx);
    if (attempts === 1) await graph.write(meanwhile);
    await write(tx);
  });
  return attempts;
}

const code = (tx: GraphTransaction) =>
  tx.connect(Fn({ name: 'new' }, { id: 'f' }), Fn({}, { id: 'g' }), Calls());
const note = (tx: GraphTransaction) => tx.create(Note({ text: 'new' }, { id: 'n' }));
const readCode = async (tx: GraphTransaction) => [await tx.find(Fn), await tx.q('f').out(Calls).ids()];
const readNotes = (tx: GraphTransaction) => tx.find(Note);

test('what is noted about code that changes meanwhile is noted at once: it counts as noted before', () =>
  withGraph('memory', async (graph) => {
    expect(await attemptsBeside(graph, readCode, note, code)).toBe(1);
    expect(await attemptsBeside(graph, readNotes, code, note)).toBe(1);
    expect(await graph.read(async (tx) => (await the(tx, 'n')).id)).toBe('n');
  }));

test('of a writer of code and one of notes that each read what the other writes one runs again', () =>
  withGraph('memory', async (graph) => {
    const codeByNotes = async (tx: GraphTransaction) => [await readNotes(tx), await code(tx)];
    expect(await attemptsBeside(graph, readCode, note, codeByNotes)).toBe(2);
  }));

test('a writer of both conflicts with each of them', () =>
  withGraph('memory', async (graph) => {
    const both = (id: string) => async (tx: GraphTransaction) => [
      await tx.create(Note({}, { id: `note of ${id}` })),
      await tx.create(Fn({}, { id })),
    ];
    expect(await attemptsBeside(graph, readCode, both('x'), code)).toBe(2);
    expect(await attemptsBeside(graph, readNotes, both('y'), note)).toBe(2);
  }));

test('a directed edge is news to those who looked along it, from either end', () =>
  withGraph('memory', async (graph) => {
    await graph.write(async (tx) => tx.createAll(['f', 'g'].map((id) => Fn({}, { id }))));
    const other = (id: string) => (tx: GraphTransaction) => tx.create(Fn({}, { id }));
    const link = async (tx: GraphTransaction) =>
      tx.connect(await the(tx, 'f'), await the(tx, 'g'), Calls({ line: line++ }));
    let line = 1;
    // The first edge of its type is news to all.
    await graph.write(link);
    const looks = (id: string, way: 'out' | 'in') => (tx: GraphTransaction) => tx.q(id)[way](Calls).ids();
    expect(await attemptsBeside(graph, looks('f', 'out'), other('1'), link)).toBe(2);
    expect(await attemptsBeside(graph, looks('g', 'in'), other('2'), link)).toBe(2);
    expect(await attemptsBeside(graph, looks('f', 'in'), other('3'), link)).toBe(1);
  }));
