import type { Expression, LabelExpression, NodePattern, PathPattern, RelationshipPattern } from '../ast.js';
import type { NodeHop } from '../graph.js';
import { turned, typesOf } from './cost.js';
import { conjuncts, NOWHERE } from './expression-tree.js';
import { hiddenName, type Scope } from './scope.js';

/** One relationship pattern between two names. */
export interface PatternHop {
  readonly name: string;
  readonly left: string;
  readonly right: string;
  readonly pattern: RelationshipPattern;
  /** Whether the relationship, or the list, was bound by an earlier clause. */
  readonly bound: boolean;
  /** What must hold of each relationship of several, under the name `each`. */
  readonly each: readonly Expression[];
  readonly eachName: string;
}

/** A path that a query names. */
export interface PatternPath {
  readonly name: string;
  readonly first: string;
  readonly hops: readonly PatternHop[];
}

/** A shortestPath between two names. */
export interface PatternShortest {
  readonly hop: PatternHop;
  readonly path: string;
  readonly all: boolean;
}

/** What a MATCH asks for, without an order: nodes and hops by name, and conditions. */
export interface PatternGraph {
  /** Names of nodes as they come in the text; those without a name have hidden ones. */
  readonly nodes: readonly string[];
  readonly hops: readonly PatternHop[];
  readonly paths: readonly PatternPath[];
  readonly shortest: readonly PatternShortest[];
  readonly conditions: readonly Expression[];
  /** Knows a slot for every name of the pattern, bound or not. */
  readonly scope: Scope;
}

/** Patterns and a WHERE as a graph of names. */
export function patternGraph(
  patterns: readonly PathPattern[],
  where: Expression | null,
  outer: Scope,
): PatternGraph {
  const builder = new Builder(outer);
  for (const path of patterns) builder.path(path);
  return { ...builder, conditions: [...builder.conditions, ...conjuncts(where)] };
}

class Builder {
  readonly nodes: string[] = [];
  readonly hops: PatternHop[] = [];
  readonly paths: PatternPath[] = [];
  readonly shortest: PatternShortest[] = [];
  readonly conditions: Expression[] = [];
  scope: Scope;

  constructor(private readonly outer: Scope) {
    this.scope = outer;
  }

  path(pattern: PathPattern): void {
    const nodes = pattern.nodes.map((node) => this.#node(node));
    const hops = pattern.relationships.map((relationship, index) =>
      this.#hop(relationship, nodes[index] ?? '', nodes[index + 1] ?? '', pattern.shortest !== null),
    );
    const [hop] = hops;
    if (pattern.shortest !== null && hop !== undefined) {
      this.shortest.push({ hop, path: this.#name(pattern.variable), all: pattern.shortest === 'all' });
      return;
    }
    this.hops.push(...hops);
    if (pattern.variable === null) return;
    this.paths.push({ name: this.#name(pattern.variable), first: nodes[0] ?? '', hops });
  }

  #node({ variable, labels, properties, where }: NodePattern): string {
    const name = this.#name(variable);
    if (!this.nodes.includes(name)) this.nodes.push(name);
    const on = variableOf(name);
    for (const part of labelParts(labels)) {
      this.conditions.push({ kind: 'has labels', on, labels: part, span: part.span });
    }
    this.conditions.push(...propertyConditions(on, properties), ...conjuncts(where));
    return name;
  }

  #hop(pattern: RelationshipPattern, left: string, right: string, isShortest: boolean): PatternHop {
    const bound = pattern.variable !== null && this.outer.slotOf(pattern.variable.name) !== undefined;
    const name = this.#name(pattern.variable);
    const eachName = this.#name(null);
    const isMany = pattern.length !== null || isShortest;
    const conditions = propertyConditions(variableOf(isMany ? eachName : name), pattern.properties);
    const own = conjuncts(pattern.where);
    if (!isMany) {
      this.conditions.push(...conditions, ...own);
      return { name, left, right, pattern, bound, each: [], eachName };
    }
    const renamed = own.map((condition) => everyOf(variableOf(eachName), name, condition));
    return { name, left, right, pattern, bound, each: [...conditions, ...renamed], eachName };
  }

  #name(variable: { readonly name: string } | null): string {
    if (variable !== null && this.scope.slotOf(variable.name) !== undefined) return variable.name;
    const slot = this.scope.frame.slot();
    const name = variable?.name ?? hiddenName(slot);
    this.scope = this.scope.with([[name, slot]]);
    return name;
  }
}

/** What a pattern says around a node; a hop that may be none says nothing. */
export function hopsAt({ hops }: Pick<PatternGraph, 'hops'>, node: string): NodeHop[] {
  return hops
    .filter(({ left, right, pattern }) => (left === node || right === node) && pattern.length?.min !== 0)
    .map((hop) => {
      const { direction } = hop.pattern;
      return { direction: hop.left === node ? direction : turned(direction), types: typesOf(hop) };
    });
}

/** A condition on one value under another name. */
function everyOf(value: Expression, name: string, where: Expression): Expression {
  return quantifier('all', name, { kind: 'list', items: [value], span: NOWHERE }, where);
}

/** `all(name IN list WHERE where)` and its kin. */
export function quantifier(
  which: 'all' | 'none',
  name: string,
  list: Expression,
  where: Expression,
): Expression {
  return { kind: 'quantifier', which, variable: { name, span: NOWHERE }, list, where, span: where.span };
}

/** A name as an expression. */
export function variableOf(name: string): Expression {
  return { kind: 'variable', name, span: NOWHERE };
}

/** `A:B` and `A&B` as several conditions. */
function labelParts(labels: LabelExpression | null): readonly LabelExpression[] {
  if (labels === null) return [];
  return labels.kind === 'and' ? labels.parts.flatMap(labelParts) : [labels];
}

/** One condition for each property; the checks let nothing but a map come here. */
function propertyConditions(on: Expression, properties: Expression | null): Expression[] {
  if (properties?.kind !== 'map') return [];
  const { span } = properties;
  return properties.entries.map(({ key, value }) => ({
    kind: 'comparison',
    operands: [{ kind: 'property', on, key, span }, value],
    operators: ['='],
    span: value.span,
  }));
}
