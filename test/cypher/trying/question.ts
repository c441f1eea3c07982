import type { Chance } from './chance.js';

/** One end of a hop, as a question asks for it. */
export interface AskedNode {
  readonly name: string | null;
  readonly label: string | null;
  readonly x: number | null;
}

/** One hop. */
export interface AskedHop {
  readonly name: string | null;
  readonly types: readonly string[];
  readonly way: 'out' | 'in' | 'both';
  /** Null: exactly one, and the name means a relationship. */
  readonly length: { readonly min: number; readonly max: number | null } | null;
  readonly w: number | null;
}

/** A chain of hops. */
export interface AskedPath {
  readonly nodes: readonly AskedNode[];
  readonly hops: readonly AskedHop[];
}

/** A condition on what is bound. */
export type AskedCondition =
  | { readonly kind: 'label'; readonly name: string; readonly label: string }
  | { readonly kind: 'less'; readonly left: string; readonly right: string }
  | { readonly kind: 'value'; readonly name: string; readonly x: number }
  | { readonly kind: 'same' | 'missing'; readonly left: string; readonly right: string }
  | { readonly kind: 'exists'; readonly path: AskedPath }
  | { readonly kind: 'count'; readonly path: AskedPath; readonly more: number }
  | { readonly kind: 'not'; readonly of: AskedCondition }
  | { readonly kind: 'and' | 'or'; readonly left: AskedCondition; readonly right: AskedCondition };

/** One MATCH. */
export interface AskedMatch {
  readonly optional: boolean;
  readonly paths: readonly AskedPath[];
  readonly where: AskedCondition | null;
}

const NODES = ['a', 'b', 'c'] as const;

/** A query of one or two MATCH clauses, made by chance. */
export function questionBy(chance: Chance): AskedMatch[] {
  const bound = new Set<string>();
  const count = 1 + chance.below(2);
  return Array.from({ length: count }, (_, index) => {
    const optional = index > 0 && chance.is(0.5);
    let relationships = 0;
    const paths = Array.from({ length: chance.is(0.3) ? 2 : 1 }, () =>
      path(chance, bound, 3, () => `r${index}${relationships++}`),
    );
    return { optional, paths, where: chance.is(0.6) ? condition(chance, [...bound], 2) : null };
  });
}

function path(chance: Chance, bound: Set<string>, most: number, fresh: (() => string) | null): AskedPath {
  const hops = chance.below(most);
  const node = (): AskedNode => {
    const name = chance.is(0.75) ? chance.pick(NODES) : null;
    if (name !== null && fresh === null && !bound.has(name)) return { name: null, label: null, x: null };
    if (name !== null) bound.add(name);
    return {
      name,
      label: chance.is(0.35) ? chance.pick(['A', 'B']) : null,
      x: chance.is(0.15) ? chance.below(2) : null,
    };
  };
  return {
    nodes: Array.from({ length: hops + 1 }, node),
    hops: Array.from({ length: hops }, () => {
      const min = chance.below(3);
      const name = fresh !== null && chance.is(0.6) ? fresh() : null;
      if (name !== null) bound.add(name);
      return {
        name,
        types: chance.pick([[], [], ['R'], ['S'], ['R', 'S']]),
        way: chance.pick(['out', 'in', 'both']),
        length: chance.is(0.3) ? { min, max: chance.is(0.15) ? null : min + chance.below(2) } : null,
        w: chance.is(0.15) ? chance.below(2) : null,
      };
    }),
  };
}

function condition(chance: Chance, bound: readonly string[], depth: number): AskedCondition | null {
  const nodes = bound.filter((name) => !name.startsWith('r'));
  const [first] = nodes;
  if (first === undefined) return null;
  const name = () => chance.pick([first, ...nodes]);
  if (depth > 0 && chance.is(0.4)) {
    const left = condition(chance, bound, depth - 1);
    const right = condition(chance, bound, depth - 1);
    if (left === null || right === null) return null;
    return chance.is(0.3) ? { kind: 'not', of: left } : { kind: chance.pick(['and', 'or']), left, right };
  }
  switch (chance.below(6)) {
    case 0:
      return { kind: 'label', name: name(), label: chance.pick(['A', 'B']) };
    case 1:
      return { kind: 'less', left: name(), right: name() };
    case 2:
      return { kind: 'value', name: name(), x: chance.below(3) };
    case 3:
      return { kind: chance.pick(['same', 'missing']), left: name(), right: name() };
    case 4:
      return { kind: 'exists', path: path(chance, new Set(nodes), 3, null) };
    default:
      return { kind: 'count', path: path(chance, new Set(nodes), 3, null), more: chance.below(3) };
  }
}

/** Everything that a question names, in the order of the columns. */
export function namesOf(question: readonly AskedMatch[]): string[] {
  const named = question.flatMap(({ paths }) =>
    paths.flatMap(({ nodes, hops }) => [...nodes, ...hops].map(({ name }) => name)),
  );
  return [...new Set(named.filter((name) => name !== null))].sort();
}

/** What is said of the rows: all of them, which there are of some columns, or how many for each of these. */
export interface AskedRows {
  readonly kind: 'all' | 'distinct' | 'count' | 'count distinct';
  /** Columns that rows are told apart by. */
  readonly names: readonly string[];
  /** What is counted. */
  readonly counted: string | null;
}

/** What is said of the rows of a question, by chance. */
export function rowsBy(chance: Chance, question: readonly AskedMatch[]): AskedRows {
  const names = namesOf(question);
  const [first] = names;
  if (first === undefined || chance.is(0.4)) return { kind: 'all', names, counted: null };
  const kind = chance.pick(['distinct', 'count', 'count distinct']);
  const kept = names.filter(() => chance.is(0.4));
  const least = kind === 'distinct' && kept.length === 0 ? [first] : kept;
  return { kind, names: least, counted: kind === 'distinct' ? null : chance.pick([first, ...names]) };
}

/** The question as a query. */
export function queryOf(question: readonly AskedMatch[], { kind, names, counted }: AskedRows): string {
  const matches = question.map(({ optional, paths, where }) => {
    const condition = where === null ? '' : ` WHERE ${conditionText(where)}`;
    return `${optional ? 'OPTIONAL ' : ''}MATCH ${paths.map(pathText).join(', ')}${condition}`;
  });
  const count = counted === null ? [] : [`count(${kind === 'count' ? '' : 'DISTINCT '}${counted})`];
  const columns = [...names, ...count];
  const returned = columns.length === 0 ? '1 AS one' : columns.join(', ');
  return `${matches.join(' ')} RETURN ${kind === 'distinct' ? 'DISTINCT ' : ''}${returned}`;
}

function pathText({ nodes, hops }: AskedPath): string {
  return nodes.map((node, index) => nodeText(node) + hopText(hops[index])).join('');
}

function nodeText({ name, label, x }: AskedNode): string {
  return `(${name ?? ''}${label === null ? '' : `:${label}`}${x === null ? '' : ` {x: ${x}}`})`;
}

function hopText(hop: AskedHop | undefined): string {
  if (hop === undefined) return '';
  const types = hop.types.length === 0 ? '' : `:${hop.types.join('|')}`;
  const length = hop.length === null ? '' : `*${hop.length.min}..${hop.length.max ?? ''}`;
  const inside = `[${hop.name ?? ''}${types}${length}${hop.w === null ? '' : ` {w: ${hop.w}}`}]`;
  return `${hop.way === 'in' ? '<-' : '-'}${inside}${hop.way === 'out' ? '->' : '-'}`;
}

function conditionText(condition: AskedCondition): string {
  switch (condition.kind) {
    case 'label':
      return `${condition.name}:${condition.label}`;
    case 'less':
      return `${condition.left}.x < ${condition.right}.x`;
    case 'value':
      return `${condition.name}.x = ${condition.x}`;
    case 'same':
      return `${condition.left} = ${condition.right}`;
    case 'missing':
      return `(${condition.left}.x IS NULL AND ${condition.right}.x IS NOT NULL)`;
    case 'exists':
      return `EXISTS { ${pathText(condition.path)} }`;
    case 'count':
      return `COUNT { ${pathText(condition.path)} } > ${condition.more}`;
    case 'not':
      return `NOT (${conditionText(condition.of)})`;
    default:
      return `(${conditionText(condition.left)}) ${condition.kind.toUpperCase()} (${conditionText(condition.right)})`;
  }
}
