import { LIMITS } from '../../../schema/index.js';
import { largestThatFits, tokensOf } from '../../token-budget.js';
import type { PackedNode, PackOutput } from '../pack-snippets.js';
import { firstLines } from './snippets.js';

const { packTokens } = LIMITS;

/** Lines that a snippet keeps where it does not fit whole: those that its definition begins with. */
const SHORT = 8;

/**
 * Makes a pack fit (P-02): snippets shrink to the first lines of their definition and then go, the last first; then docstrings go; nodes
 * fall, the last first with their edges, only above a budget that the caller gave or above the ceiling.
 */
export function fitPack(whole: PackOutput, asked: number | undefined): { output: PackOutput; cut: string[] } {
  const budget = asked ?? packTokens.default;
  const more = `max_tokens up to ${packTokens.max} gives more.`;
  const all = whole.nodes.length;
  if (tokensOf(whole) <= budget) return { output: whole, cut: [] };
  const plain = { ...whole, nodes: whole.nodes.map((node) => ({ ...node, docstring: null })) };
  const withFull = (count: number) => shrunk(plain, { whole: count, short: all });
  const full = largestThatFits(all, (count) => tokensOf(withFull(count)) <= budget);
  const short =
    full > 0
      ? all
      : largestThatFits(all, (count) => tokensOf(shrunk(plain, { whole: 0, short: count })) <= budget);
  const output = shrunk(plain, { whole: full, short });
  const cut = [`Snippets are whole for the first ${full} of ${all} nodes, docstrings are left out: ${more}`];
  const most = asked ?? packTokens.max;
  const rows = largestThatFits(all, (count) => tokensOf(withNodes(output, count)) <= most);
  if (rows === all) return { output, cut };
  return {
    output: withNodes(output, rows),
    cut: [...cut, `The first ${rows} of ${all} nodes fit: ${more}`],
  };
}

/** The first so many nodes keep their snippets, the next ones a few lines, the others none. */
function shrunk(output: PackOutput, { whole, short }: { whole: number; short: number }): PackOutput {
  const nodes = output.nodes.map((node, at): PackedNode => {
    if (at < whole || node.snippet === null) return node;
    return { ...node, snippet: at < short ? firstLines(node.snippet, SHORT, node.lineno ?? 1) : null };
  });
  return { ...output, nodes };
}

function withNodes(output: PackOutput, count: number): PackOutput {
  const nodes = output.nodes.slice(0, count);
  const ids = new Set(nodes.map(({ id }) => id));
  const edges = output.edges.filter(({ src, dst }) => ids.has(src) && ids.has(dst));
  return { ...output, nodes, edges, returned_nodes: nodes.length };
}
