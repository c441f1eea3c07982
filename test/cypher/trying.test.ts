import { describe, expect, it } from 'vitest';
import {
  type CypherNode,
  type CypherValue,
  PreparedQuery,
  run,
  type SeekValues,
} from '../../cypher/index.js';
import { isElement, isList } from '../../cypher/values/index.js';
import { MemoryGraph } from './memory-graph.js';
import { answerOf, MAX_HOPS, type SmallGraph } from './trying/answer.js';
import { Chance } from './trying/chance.js';
import { queryOf, questionBy, rowsBy } from './trying/question.js';

const GRAPHS = 12;
const QUESTIONS = 25;

/** A graph with an index that finds more than it should, as an index may. */
class IndexedGraph extends MemoryGraph {
  override seek(
    label: string | null,
    property: string,
    wanted: SeekValues,
  ): Promise<readonly CypherNode[]> | null {
    return property === 'x' && wanted.kind === 'in' ? this.found(label) : null;
  }

  private async found(label: string | null): Promise<readonly CypherNode[]> {
    const found: CypherNode[] = [];
    for await (const page of this.nodes(label)) found.push(...page);
    return found;
  }
}

/** The same graph twice: for the engine, and to try everything on. */
function graphsBy(chance: Chance): { readonly graph: MemoryGraph; readonly small: SmallGraph } {
  const graph = chance.is(0.5) ? new MemoryGraph() : new IndexedGraph();
  const made = Array.from({ length: 3 + chance.below(3) }, () => {
    const labels = ['A', 'B'].filter(() => chance.is(0.5));
    const x = chance.is(0.8) ? chance.below(3) : null;
    return { labels, x, node: graph.createNode(labels, [['x', x === null ? null : BigInt(x)]]) };
  });
  const relationships = Array.from({ length: 3 + chance.below(5) }, () => {
    const [start, end] = [chance.below(made.length), chance.below(made.length)];
    const type = chance.pick(['R', 'S']);
    const w = chance.is(0.8) ? chance.below(2) : null;
    const [from, to] = [made[start], made[end]];
    if (from === undefined || to === undefined) throw new Error('no such node');
    const given = [['w', w === null ? null : BigInt(w)]] as const;
    return { key: graph.createRelationship(type, from.node, to.node, given).key, type, start, end, w };
  });
  return {
    graph,
    small: { nodes: made.map(({ node: { key }, labels, x }) => ({ key, labels, x })), relationships },
  };
}

describe('whatever is asked', () => {
  it.each(Array.from({ length: GRAPHS }, (_, index) => index))(
    'the rows are those that trying everything gives (graph %i)',
    async (seed) => {
      const chance = new Chance(seed + 1);
      const { graph, small } = graphsBy(chance);
      for (let number = 0; number < QUESTIONS; number++) {
        const question = questionBy(chance);
        const asked = rowsBy(chance, question);
        const query = queryOf(question, asked);
        const { rows } = await run(new PreparedQuery(query), graph, { maxHops: MAX_HOPS });
        const given = rows.map((row) => (query.endsWith('1 AS one') ? '' : row.map(shown).join(' ')));
        expect(given.sort(), query).toEqual(answerOf(small, question, asked).sort());
      }
    },
  );
});

function shown(value: CypherValue): string {
  if (isElement(value)) return String(value.key);
  return isList(value) ? `[${value.map(shown).join(',')}]` : String(value);
}
