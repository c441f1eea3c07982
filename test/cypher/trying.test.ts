import { describe, expect, it } from 'vitest';
import { chance } from '../../bench/lib/cypher/chance.mjs';
import {
  type CypherNode,
  type CypherValue,
  PreparedQuery,
  run,
  type SeekValues,
} from '../../cypher/index.js';
import { isElement, isList } from '../../cypher/values/index.js';
import { MemoryGraph } from './memory-graph.js';

/*
 * Queries by chance against rows that are found by trying everything: no plan, no index, nothing clever. Each part of a
 * query is made as its text together with what it means.
 */

const GRAPHS = 12;
const QUESTIONS = 25;
/** How far patterns without an upper bound go. */
const MAX_HOPS = 3;
const NAMES = ['a', 'b', 'c'];

interface Node {
  readonly key: number;
  readonly labels: readonly string[];
  readonly x: number | null;
}
interface Relationship {
  readonly key: number;
  readonly type: string;
  readonly start: Node;
  readonly end: Node;
  readonly w: number | null;
}
type Value = Node | Relationship | readonly Relationship[] | null;
type Row = ReadonlyMap<string, Value>;
/** No relationship is walked twice in one MATCH. */
interface Walk {
  readonly row: Row;
  readonly used: readonly Relationship[];
}
interface Trail {
  readonly trail: readonly Relationship[];
  readonly end: Node;
}
interface Condition {
  readonly text: string;
  truth(row: Row): boolean | null;
}

/** A graph with an index that finds more than it should, as an index may. */
class IndexedGraph extends MemoryGraph {
  override seek(label: string | null, property: string, wanted: SeekValues) {
    return property === 'x' && wanted.kind === 'in' ? this.found(label) : null;
  }

  private async found(label: string | null): Promise<readonly CypherNode[]> {
    const found: CypherNode[] = [];
    for await (const page of this.nodes(label)) found.push(...page);
    return found;
  }
}

function graphBy({ below, oneOf }: ReturnType<typeof chance>) {
  const graph = below(2) ? new MemoryGraph() : new IndexedGraph();
  const big = (value: number | null) => (value === null ? null : BigInt(value));
  const made = Array.from({ length: 3 + below(3) }, () => {
    const labels = ['A', 'B'].filter(() => below(2));
    const x = below(5) ? below(3) : null;
    const stored = graph.createNode(labels, [['x', big(x)]]);
    return { stored, node: { key: stored.key, labels, x } };
  });
  const relationships = Array.from({ length: 3 + below(5) }, () => {
    const [from, to, type] = [oneOf(made), oneOf(made), oneOf(['R', 'S'])];
    const w = below(5) ? below(2) : null;
    const { key } = graph.createRelationship(type, from.stored, to.stored, [['w', big(w)]]);
    return { key, type, start: from.node, end: to.node, w };
  });
  return { graph, nodes: made.map(({ node }) => node), relationships };
}

/** Makes queries on a graph, with their rows as texts. */
function questioner(
  { nodes, relationships }: Omit<ReturnType<typeof graphBy>, 'graph'>,
  { below, oneOf }: ReturnType<typeof chance>,
) {
  const is = (percent: number) => below(100) < percent;

  function nodePattern(bound: Set<string>, isOpen: boolean) {
    const chosen = is(75) ? oneOf(NAMES) : '';
    const name = isOpen || bound.has(chosen) ? chosen : '';
    if (name) bound.add(name);
    const label = is(35) ? oneOf(['A', 'B']) : null;
    const x = is(15) ? below(2) : null;
    return {
      text: `(${name}${label ? `:${label}` : ''}${x === null ? '' : ` {x: ${x}}`})`,
      bind(row: Row, node: Node): Row | null {
        if ((label && !node.labels.includes(label)) || (x !== null && node.x !== x)) return null;
        if (name === '') return row;
        if (row.has(name)) return row.get(name) === node ? row : null;
        return new Map([...row, [name, node]]);
      },
    };
  }

  function hopPattern(name: string) {
    const types = oneOf([[], [], ['R'], ['S'], ['R', 'S']]);
    const way = oneOf(['out', 'in', 'both']);
    const [isLong, min] = [is(30), below(3)];
    const max = is(15) ? null : min + below(2);
    const w = is(15) ? below(2) : null;
    function* trails(from: Node, used: Walk['used'], least: number, most: number): Generator<Trail> {
      if (least <= 0) yield { trail: [], end: from };
      if (most === 0) return;
      for (const one of relationships) {
        const fits = types.length === 0 || types.includes(one.type);
        if (!fits || used.includes(one) || (w !== null && one.w !== w)) continue;
        // A loop leads to its node once.
        const ends = new Set<Node>();
        if (way !== 'in' && one.start === from) ends.add(one.end);
        if (way !== 'out' && one.end === from) ends.add(one.start);
        for (const next of ends)
          for (const { trail, end } of trails(next, [...used, one], least - 1, most - 1))
            yield { trail: [one, ...trail], end };
      }
    }
    const length = isLong ? `*${min}..${max ?? ''}` : '';
    const inside = `${name}${types.length ? `:${types.join('|')}` : ''}${length}${w === null ? '' : ` {w: ${w}}`}`;
    return {
      text: `${way === 'in' ? '<-' : '-'}[${inside}]${way === 'out' ? '->' : '-'}`,
      name,
      trails: (from: Node, used: Walk['used']) =>
        isLong ? trails(from, used, min, max ?? MAX_HOPS) : trails(from, used, 1, 1),
      valueOf: (trail: readonly Relationship[]): Value => (isLong ? trail : (trail[0] ?? null)),
    };
  }

  function path(bound: Set<string>, fresh: (() => string) | null) {
    const hops = Array.from({ length: below(3) }, () => hopPattern(fresh && is(60) ? fresh() : ''));
    const stops = Array.from({ length: hops.length + 1 }, () => nodePattern(bound, fresh !== null));
    for (const { name } of hops) if (name) bound.add(name);
    function onwards(at: number, from: Node, { row, used }: Walk): Walk[] {
      const here = stops[at]?.bind(row, from) ?? null;
      if (here === null) return [];
      const hop = hops[at];
      if (hop === undefined) return [{ row: here, used }];
      return [...hop.trails(from, used)].flatMap(({ trail, end }) => {
        const further = hop.name ? new Map([...here, [hop.name, hop.valueOf(trail)] as const]) : here;
        return onwards(at + 1, end, { row: further, used: [...used, ...trail] });
      });
    }
    return {
      text: stops.map(({ text }, at) => text + (hops[at]?.text ?? '')).join(''),
      walks: (walk: Walk) => nodes.flatMap((start) => onwards(0, start, walk)),
    };
  }

  function condition(bound: readonly string[], depth: number): Condition | null {
    const named = bound.filter((name) => NAMES.includes(name));
    if (named.length === 0) return null;
    const [left, right] = [oneOf(named), oneOf(named)];
    const nodeIn = (row: Row, name: string) => (row.get(name) ?? null) as Node | null;
    const both = (row: Row, holds: (a: number, b: number) => boolean) => {
      const [a, b] = [nodeIn(row, left)?.x ?? null, nodeIn(row, right)?.x ?? null];
      return a === null || b === null ? null : holds(a, b);
    };
    if (depth > 0 && is(40)) {
      const [one, other] = [condition(bound, depth - 1), condition(bound, depth - 1)];
      if (one === null || other === null) return null;
      if (is(30)) return { text: `NOT (${one.text})`, truth: (row) => not(one.truth(row)) };
      const decides = is(50);
      const truth = (row: Row) => {
        const truths = [one.truth(row), other.truth(row)];
        if (truths.includes(decides)) return decides;
        return truths.includes(null) ? null : !decides;
      };
      return { text: `(${one.text}) ${decides ? 'OR' : 'AND'} (${other.text})`, truth };
    }
    const [label, x, more] = [oneOf(['A', 'B']), below(3), below(3)];
    const within = path(new Set(named), null);
    const count = (row: Row) => within.walks({ row, used: [] }).length;
    return oneOf<Condition>([
      { text: `${left}:${label}`, truth: (row) => nodeIn(row, left)?.labels.includes(label) ?? null },
      { text: `${left}.x < ${right}.x`, truth: (row) => both(row, (a, b) => a < b) },
      {
        text: `${left}.x = ${x}`,
        truth: (row) => {
          const value = nodeIn(row, left)?.x ?? null;
          return value === null ? null : value === x;
        },
      },
      {
        text: `${left} = ${right}`,
        truth: (row) => {
          const [one, other] = [nodeIn(row, left), nodeIn(row, right)];
          return one === null || other === null ? null : one === other;
        },
      },
      {
        text: `(${left}.x IS NULL AND ${right}.x IS NOT NULL)`,
        truth: (row) => (nodeIn(row, left)?.x ?? null) === null && (nodeIn(row, right)?.x ?? null) !== null,
      },
      { text: `EXISTS { ${within.text} }`, truth: (row) => count(row) > 0 },
      { text: `COUNT { ${within.text} } > ${more}`, truth: (row) => count(row) > more },
    ]);
  }

  function match(bound: Set<string>, at: number) {
    const before = new Set(bound);
    const isOptional = at > 0 && is(50);
    let made = 0;
    const paths = Array.from({ length: is(30) ? 2 : 1 }, () => path(bound, () => `r${at}${made++}`));
    const where = is(60) ? condition([...bound], 2) : null;
    const nothing = [...bound].filter((name) => !before.has(name)).map((name) => [name, null] as const);
    return {
      text: `${isOptional ? 'OPTIONAL ' : ''}MATCH ${paths.map(({ text }) => text).join(', ')}${where ? ` WHERE ${where.text}` : ''}`,
      rows(row: Row): Row[] {
        let walks: Walk[] = [{ row, used: [] }];
        for (const one of paths) walks = walks.flatMap(one.walks);
        const found = walks.flatMap((walk) => ((where?.truth(walk.row) ?? !where) ? [walk.row] : []));
        return found.length > 0 || !isOptional ? found : [new Map([...row, ...nothing])];
      },
    };
  }

  return () => {
    const bound = new Set<string>();
    const matches = Array.from({ length: 1 + below(2) }, (_, at) => match(bound, at));
    let rows: Row[] = [new Map()];
    for (const one of matches) rows = rows.flatMap(one.rows);
    const names = [...bound].sort();
    const kind = names.length === 0 || is(40) ? 'all' : oneOf(['distinct', 'count', 'count distinct']);
    const some = kind === 'all' ? names : names.filter(() => is(40));
    const columns = kind === 'distinct' && some.length === 0 ? names.slice(0, 1) : some;
    const counted = kind.startsWith('count') ? oneOf(names) : null;
    const count = counted === null ? [] : [`count(${kind === 'count' ? '' : 'DISTINCT '}${counted})`];
    const returned = [...columns, ...count].join(', ') || '1 AS one';
    const query = `${matches.map(({ text }) => text).join(' ')} RETURN ${kind === 'distinct' ? 'DISTINCT ' : ''}${returned}`;
    const keyOf = (row: Row) => columns.map((name) => keys(row.get(name) ?? null)).join(' ');
    if (counted === null)
      return { query, answer: kind === 'all' ? rows.map(keyOf) : [...new Set(rows.map(keyOf))] };
    const groups = new Map<string, string[]>(columns.length === 0 ? [['', []]] : []);
    for (const row of rows) {
      const value = keys(row.get(counted) ?? null);
      groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), ...(value === 'null' ? [] : [value])]);
    }
    const sizeOf = (values: readonly string[]) => (kind === 'count' ? values.length : new Set(values).size);
    return { query, answer: [...groups].map(([key, values]) => `${key} ${sizeOf(values)}`.trim()) };
  };
}

const not = (truth: boolean | null) => (truth === null ? null : !truth);

function keys(value: Value): string {
  if (value === null) return 'null';
  return 'key' in value ? String(value.key) : `[${value.map(({ key }) => key).join(',')}]`;
}

function shown(value: CypherValue): string {
  if (isElement(value)) return String(value.key);
  return isList(value) ? `[${value.map(shown).join(',')}]` : String(value);
}

describe('whatever is asked', () => {
  it.each(Array.from({ length: GRAPHS }, (_, index) => index + 1))(
    'the rows are those that trying everything gives (graph %i)',
    async (seed) => {
      const choices = chance(seed);
      const { graph, ...small } = graphBy(choices);
      const ask = questioner(small, choices);
      for (let number = 0; number < QUESTIONS; number++) {
        const { query, answer } = ask();
        const { rows } = await run(new PreparedQuery(query), graph, { maxHops: MAX_HOPS });
        const given = rows.map((row) => (query.endsWith('1 AS one') ? '' : row.map(shown).join(' ')));
        expect(given.sort(), query).toEqual(answer.sort());
      }
    },
  );
});
