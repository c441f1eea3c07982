import { z } from 'zod';
import { defineWalker, Root } from '../../runtime/index.js';
import { CodeEdge, CodeNode } from '../search/codebase/code-records.js';
import { clearCode } from './clear-code.js';
import { storedLinks, storedNode, toldProps } from './stored-form.js';

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
    }),
  ],
  finish: ({ state: { written } }) => written,
});
