import type { Expression } from '../../cypher/ast.js';
import { compile, type Row, type Scope } from '../../cypher/expressions/index.js';
import { makeAggregate } from '../../cypher/functions/index.js';
import type {
  CypherMap,
  CypherNode,
  CypherPath,
  CypherRelationship,
  CypherValue,
} from '../../cypher/index.js';
import type { RunValues } from '../../cypher/run-values.js';
import { parse } from '../../cypher/text/index.js';

/** A run without limits whose chance and time stand still. */
export function runWith(parameters: Readonly<Record<string, CypherValue>> = {}): RunValues {
  return {
    parameters: new Map(Object.entries(parameters)),
    random: () => 0.25,
    now: () => 1_700_000_000_000,
    spend: () => {},
    hold: () => {},
    made: () => {},
  };
}

export function nodeOf(
  key: number,
  labels: readonly string[],
  entries: Readonly<Record<string, CypherValue>>,
): CypherNode {
  const properties: CypherMap = new Map(Object.entries(entries));
  return {
    kind: 'node',
    key,
    id: BigInt(key),
    labels: () => labels,
    hasLabel: (label) => labels.includes(label),
    property: (name) => properties.get(name) ?? null,
    properties: () => properties,
  };
}

const since: CypherMap = new Map([['since', 1833n]]);
const ada = nodeOf(1, ['Person'], { name: 'Ada', born: 1815n });
const charles = nodeOf(2, ['Person'], { name: 'Charles' });
const knows: CypherRelationship = {
  kind: 'relationship',
  key: 1,
  id: 1n,
  type: 'KNOWS',
  start: ada,
  end: charles,
  property: (name) => since.get(name) ?? null,
  properties: () => since,
};
const path: CypherPath = { kind: 'path', nodes: [ada, charles], relationships: [knows] };

/** What examples of functions are about: n, m, r and p. */
export const EXAMPLE: Readonly<Record<string, CypherValue>> = { n: ada, m: charles, r: knows, p: path };

/** The expression of `RETURN …`. */
export function expressionOf(text: string): Expression {
  const [part] = parse(`RETURN ${text} AS value`).parts;
  const clause = part?.clauses[0];
  if (clause?.kind !== 'return' || clause.items[0] === undefined) throw new Error(`no expression: ${text}`);
  return clause.items[0].expression;
}

/** A scope of these names, in their order. */
export function scopeOf(
  names: readonly string[],
  computed: ReadonlyMap<Expression, number> = new Map(),
): Scope {
  return {
    slotOf: (name) => {
      const slot = names.lastIndexOf(name);
      return slot < 0 ? undefined : slot;
    },
    computed: (expression) => computed.get(expression),
    local: (name) => ({ slot: names.length, scope: scopeOf([...names, name], computed) }),
  };
}

/** The value of an expression, with the names of {@link EXAMPLE}, others on top, and parameters. */
export function evaluated(
  text: string,
  names: Readonly<Record<string, CypherValue>> = {},
  parameters: Readonly<Record<string, CypherValue>> = {},
): CypherValue {
  const row: Row = [...Object.values(EXAMPLE), ...Object.values(names)];
  const scope = scopeOf([...Object.keys(EXAMPLE), ...Object.keys(names)]);
  return compile(expressionOf(text), scope)(row, runWith(parameters));
}

/** The value of an expression with one aggregate of `x` in it, over rows of x. */
export function aggregateOf(text: string, rows: readonly CypherValue[]): CypherValue {
  const expression = expressionOf(text);
  const call = aggregateIn(expression);
  const aggregator = makeAggregate(call.name, call.distinct, call.span);
  const [value, parameter] = call.arguments.map((argument) => compile(argument, scopeOf(['x'])));
  for (const x of rows) {
    aggregator.add(value?.([x], runWith()) ?? null, parameter?.([x], runWith()) ?? null);
  }
  return compile(expression, scopeOf([], new Map([[call, 0]])))([aggregator.result()], runWith());
}

function aggregateIn(expression: Expression): Extract<Expression, { kind: 'call' }> {
  if (expression.kind !== 'call') throw new Error('no call');
  const [inner] = expression.arguments;
  return expression.name === 'round' && inner !== undefined ? aggregateIn(inner) : expression;
}
