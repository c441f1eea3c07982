import { LIMITS } from '../../../schema/index.js';
import { tokensOf } from '../../token-budget.js';
import type { NodeOutput } from '../graph-node.js';

const { lookupTokens, nodeEdges } = LIMITS;

/** Characters that texts keep, and edges that each group names, where they do not fit as they are. */
const SIZES = [
  { text: 400, first: nodeEdges.max },
  { text: 100, first: 1 },
  { text: 40, first: 0 },
] as const;

/** Makes a node fit (P-02): its texts are cut and fewer edges are named; what it is and the counts stay. */
export function fitNode(whole: NodeOutput, asked: number | undefined): { output: NodeOutput; cut: string[] } {
  let output = whole;
  for (const { text, first } of SIZES) {
    if (tokensOf(output) <= (asked ?? lookupTokens.default)) break;
    output = shortened(whole, text, first);
  }
  const more = `Texts and lists are shortened: max_tokens up to ${lookupTokens.max} gives more.`;
  return { output, cut: output === whole ? [] : [more] };
}

function shortened(whole: NodeOutput, most: number, first: number): NodeOutput {
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

function cutText(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
