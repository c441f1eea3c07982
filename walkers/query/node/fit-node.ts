import { cutText, type Draft, draftBy, tokensOf } from '../../../present/index.js';
import { LIMITS } from '../../../schema/index.js';
import type { NodeOutput } from '../graph-node.js';

const { nodeEdges } = LIMITS;

/** Characters that texts keep, and edges that each group names, where they do not fit as they are. */
const SIZES = [
  { text: 400, first: nodeEdges.max },
  { text: 100, first: 1 },
  { text: 40, first: 0 },
] as const;

/** The draft of a node (P-02): its texts are cut and fewer edges are named; what it is and the counts stay. */
export function nodeDraft<O extends NodeOutput>(whole: O): Draft<O> {
  const less = SIZES.map(({ text, first }) => ({
    what: 'Texts and lists',
    shorter: (output: O) => shortened(output, text, first),
  }));
  return draftBy(whole, { limit: LIMITS.lookupTokens, lists: [], less });
}

function shortened<O extends NodeOutput>(whole: O, most: number, first: number): O {
  const { docstring, properties, edges } = whole;
  return {
    ...whole,
    docstring: docstring && cutText(docstring, most),
    properties: Object.fromEntries(
      Object.entries(properties).map(([key, value]) => [key, cutValue(value, most)]),
    ),
    edges: edges.map((group) => ({ ...group, first: group.first.slice(0, first) })),
  };
}

function cutValue(value: unknown, most: number): unknown {
  if (typeof value === 'string') return cutText(value, most);
  return tokensOf(value) > most ? cutText(JSON.stringify(value), most) : value;
}
