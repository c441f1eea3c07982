import { LIMITS } from '../../../schema/index.js';
import { shownLine } from '../../shown-text.js';
import { largestThatFits, tokensOf } from '../../token-budget.js';
import type { CodebaseOutput } from '../query-codebase.js';

const { lookupTokens } = LIMITS;

/** Characters that docstrings keep where they do not fit as they are. */
const DOCSTRING = 80;

/**
 * Makes an answer fit (P-02): docstrings are cut, then left out, then the text of edges; nodes fall, the last first with
 * their edges, only above a budget that the caller gave or above the ceiling.
 */
export function fitCodebase(
  whole: CodebaseOutput,
  asked: number | undefined,
): { output: CodebaseOutput; cut: string[] } {
  const more = `max_tokens up to ${lookupTokens.max} gives more.`;
  const budget = asked ?? lookupTokens.default;
  let output = whole;
  let cut: string[] = [];
  for (const [said, shrink] of STEPS) {
    if (tokensOf(output) <= budget) return { output, cut };
    output = shrink(output);
    cut = [`${said}: ${more}`];
  }
  const most = asked ?? lookupTokens.max;
  const rows = largestThatFits(output.nodes.length, (count) => tokensOf(withNodes(output, count)) <= most);
  if (rows === output.nodes.length) return { output, cut };
  return {
    output: withNodes(output, rows),
    cut: [...cut, `The first ${rows} of ${output.nodes.length} nodes fit: ${more}`],
  };
}

type Shrink = (output: CodebaseOutput) => CodebaseOutput;

const STEPS: readonly (readonly [said: string, shrink: Shrink])[] = [
  ['Docstrings are shortened', (output) => withDocstrings(output, (text) => shownLine(text, DOCSTRING))],
  ['Docstrings are left out', (output) => withDocstrings(output, () => null)],
  [
    'Docstrings and what edges say are left out',
    (output) => ({
      ...output,
      edges: output.edges.map((edge) => ({ ...edge, evidence: { ...edge.evidence, expr: '' } })),
    }),
  ],
];

function withDocstrings(output: CodebaseOutput, shorter: (text: string) => string | null): CodebaseOutput {
  return {
    ...output,
    nodes: output.nodes.map((node) => ({ ...node, docstring: node.docstring && shorter(node.docstring) })),
  };
}

function withNodes(output: CodebaseOutput, count: number): CodebaseOutput {
  const nodes = output.nodes.slice(0, count);
  const ids = new Set(nodes.map(({ id }) => id));
  const edges = output.edges.filter(({ src, dst }) => ids.has(src) && ids.has(dst));
  return { ...output, nodes, edges, returned_nodes: nodes.length };
}
