import { z } from 'zod';
import {
  CODE_TEXT,
  CodeEdge,
  CodeNode,
  CountedWords,
  clearTexts,
  codeNode,
  PROGRESS_MARK,
  readProgress,
  TEXT_MARK,
  TEXT_MARK_NOW,
  toBytes,
  turn,
} from '../../graphs/code/index.js';
import { defineWalker, Root, type StepsContext } from '../../runtime/index.js';
import { append } from '../../schema/index.js';
import { madeDocuments, Words, writeIndex } from '../../search/index.js';
import { storedLinks, storedNode, toldProps } from './stored-form.js';

/** Nodes, or names of bytes, that are taken out in one commit. */
const CLEARED_AT_ONCE = 512;

/**
 * Takes out the whole code graph with all that is kept beside it: what is known of files, indexes of words and vectors.
 * What was recorded, and memories, stay (ruling X-34). Bytes go first: whoever meets what is left of a run that was cut off
 * takes it for a graph that was never indexed. Of them the index of words goes first: half of it would be
 * taken for a whole one.
 */
async function clearCode(context: StepsContext): Promise<void> {
  const { headerName } = writeIndex(context, CODE_TEXT);
  context.putBlob(TEXT_MARK, undefined);
  await clearTexts(context);
  const names: string[] = [];
  for await (const page of context.blobsUnder(''))
    for (const { name } of page) if (name !== headerName) names.push(name);
  for (let at = 0; at < names.length; at += CLEARED_AT_ONCE) {
    for (const name of names.slice(at, at + CLEARED_AT_ONCE)) context.putBlob(name, undefined);
    await context.commit();
    await turn(context);
  }
  const ids: string[] = [];
  for await (const page of context.storedNodes('derived')) for (const { id } of page) ids.push(id);
  await context.commit();
  for (let at = 0; at < ids.length; at += CLEARED_AT_ONCE) {
    const nodes = await context.nodes(ids.slice(at, at + CLEARED_AT_ONCE));
    await context.del(nodes.filter((node) => node !== undefined));
    await context.commit({ forget: true });
    await turn(context);
  }
}

const AT_ONCE = 512;
const count = z.number().int();

/** Nodes and edges from outside into the code graph (S2-15): an upsert, by ids. */
export const LibraryWrite = defineWalker('library_write', {
  description:
    'Write nodes and edges into the code graph, as an upsert; wipe empties it first: for the library.',
  access: 'steps',
  input: {
    nodes: z.array(CodeNode).default([]),
    edges: z.array(CodeEdge).default([]),
    wipe: z.boolean().default(false),
  },
  output: z.object({
    nodes: count,
    edges: count,
    /** Edges of which an end is not in the graph: they were left out. */
    left_out: count,
  }),
  state: () => ({ written: { nodes: 0, edges: 0, left_out: 0 } }),
  on: (w) => [
    w.entry(Root, async (_here, context) => {
      const { nodes, edges, wipe, written } = context.state;
      const drafts = nodes.map(storedNode);
      const links = edges.map(storedLinks);
      if (wipe) await clearCode(context);
      for (let at = 0; at < drafts.length; at += AT_ONCE) {
        const some = drafts.slice(at, at + AT_ONCE);
        const known = await context.nodes(some.map(({ id }) => id ?? ''));
        for (const [i, draft] of some.entries()) {
          const node = known[i];
          // What an index knows of it beside stays.
          if (node && !node.gone && node.archetype === draft.archetype) context.set(node, toldProps(draft));
          else await context.create(draft);
        }
        await context.commit();
      }
      written.nodes = drafts.length;
      for (let at = 0; at < links.length; at += AT_ONCE) {
        const some = links.slice(at, at + AT_ONCE);
        const ends = [...new Set(some.flat().flatMap(({ from, to }) => [from, to]))];
        const there = new Set(
          (await context.nodes(ends)).flatMap((node) => (node && !node.gone ? [node.id] : [])),
        );
        for (const group of some) {
          const fit = group.filter(({ from, to }) => there.has(from) && there.has(to));
          await context.linkAll(fit);
          if (fit[0] === group[0]) written.edges++;
          else written.left_out++;
        }
        await context.commit();
      }
      await writeTexts(context);
    }),
  ],
  finish: ({ state: { written } }) => written,
});

/** Makes a graph that no index run ever wrote searchable, by what its nodes say (S2-20). */
async function writeTexts(context: StepsContext): Promise<void> {
  const [mark] = await context.blobs([PROGRESS_MARK]);
  if ((readProgress(mark)?.generation ?? 0) > 0) return;
  const words = new Words();
  const documents = new Map<string, CountedWords[]>();
  for await (const page of context.storedNodes('derived'))
    for (const node of page.flatMap((record) => codeNode(record) ?? [])) {
      if (node.module_path === null) continue;
      const document = new CountedWords(node.id, words);
      document.count('name', node.name);
      document.count('owner', node.qualname.slice(0, -node.name.length));
      document.count('path', node.module_path);
      document.count('doc', node.docstring ?? '');
      append(documents, node.module_path, document);
    }
  if (documents.size === 0) return;
  const index = writeIndex(context, CODE_TEXT);
  for (const [path, ofFile] of documents) index.putGroup(path, madeDocuments(ofFile));
  await index.flush();
  context.putBlob(TEXT_MARK, toBytes(TEXT_MARK_NOW));
  context.putBlob(PROGRESS_MARK, toBytes({ generation: 0, complete: true, pending: 0 }));
  await context.commit();
}
