import type {
  Expression,
  LabelExpression,
  NodePattern,
  PathPattern,
  RelationshipPattern,
} from '../../cypher/ast.js';
import type { CypherPath, CypherValue } from '../../cypher/index.js';
import { equals } from '../../cypher/values/index.js';
import { constantOf } from './constant.js';
import type { MemoryNode, MemoryRelationship } from './memory-graph.js';

type Bindings = ReadonlyMap<string, CypherValue>;

/** What has been walked of one pattern, and of those before it. */
interface Walk {
  readonly bindings: Bindings;
  /** Of the whole clause: none may be walked twice. */
  readonly used: ReadonlySet<MemoryRelationship>;
  readonly nodes: readonly MemoryNode[];
  readonly relationships: readonly MemoryRelationship[];
}

/**
 * All matches of the patterns of one MATCH, by trying everything in the order in which it is written: no plan, no
 * index, nothing clever. What the engine is held against.
 */
export class NaiveMatch {
  constructor(
    private readonly nodes: readonly MemoryNode[],
    private readonly parameters: ReadonlyMap<string, CypherValue>,
  ) {}

  match(patterns: readonly PathPattern[]): Bindings[] {
    let found: Walk[] = [{ bindings: new Map(), used: new Set(), nodes: [], relationships: [] }];
    for (const pattern of patterns) found = found.flatMap((walk) => this.pattern(pattern, walk));
    return found.map(({ bindings }) => bindings);
  }

  private pattern({ variable, nodes, relationships }: PathPattern, before: Walk): Walk[] {
    const [first, ...others] = nodes;
    if (first === undefined) return [];
    let walks = this.nodes.flatMap((node) =>
      this.arrive(first, node, { ...before, nodes: [], relationships: [] }),
    );
    for (const [at, relationship] of relationships.entries()) {
      const next = others[at];
      if (next === undefined) return [];
      walks = walks.flatMap((walk) => this.step(relationship, next, walk));
    }
    if (variable === null) return walks;
    return walks.map((walk) => {
      const path: CypherPath = { kind: 'path', nodes: walk.nodes, relationships: walk.relationships };
      return { ...walk, bindings: new Map([...walk.bindings, [variable.name, path]]) };
    });
  }

  private arrive({ variable, labels, properties }: NodePattern, node: MemoryNode, walk: Walk): Walk[] {
    if (labels !== null && !fits(labels, node)) return [];
    if (!this.has(node, properties)) return [];
    const bindings = bound(walk.bindings, variable?.name, node);
    return bindings === null ? [] : [{ ...walk, bindings, nodes: [...walk.nodes, node] }];
  }

  private step(pattern: RelationshipPattern, next: NodePattern, walk: Walk): Walk[] {
    const { length, variable } = pattern;
    const from = walk.nodes.at(-1);
    if (from === undefined) return [];
    const [min, max] = length === null ? [1, 1] : [length.min ?? 1, length.max ?? Number.POSITIVE_INFINITY];
    const found: Walk[] = [];
    const go = (
      node: MemoryNode,
      taken: readonly MemoryRelationship[],
      passed: readonly MemoryNode[],
    ): void => {
      if (taken.length >= min) {
        const value = length === null ? (taken[0] ?? null) : taken;
        const bindings = bound(walk.bindings, variable?.name, value);
        const arrived = {
          bindings: bindings ?? walk.bindings,
          used: new Set([...walk.used, ...taken]),
          nodes: [...walk.nodes, ...passed.slice(0, -1)],
          relationships: [...walk.relationships, ...taken],
        };
        if (bindings !== null) found.push(...this.arriveAfter(next, node, arrived, passed.length === 0));
      }
      if (taken.length >= max) return;
      for (const [relationship, other] of around(node, pattern)) {
        if (walk.used.has(relationship) || taken.includes(relationship)) continue;
        if (this.has(relationship, pattern.properties))
          go(other, [...taken, relationship], [...passed, other]);
      }
    };
    go(from, [], []);
    return found;
  }

  /** A walk of no hops stays where it is: the node is on the path once. */
  private arriveAfter(next: NodePattern, node: MemoryNode, walk: Walk, stayed: boolean): Walk[] {
    const before = stayed ? { ...walk, nodes: walk.nodes.slice(0, -1) } : walk;
    return this.arrive(next, node, before);
  }

  private has(entity: MemoryNode | MemoryRelationship, properties: Expression | null): boolean {
    if (properties === null) return true;
    const wanted = constantOf(properties, this.parameters);
    if (!(wanted instanceof Map)) throw new Error('properties that are no constants');
    return [...wanted].every(([key, value]) => equals(entity.property(key), value) === true);
  }
}

function bound(bindings: Bindings, name: string | undefined, value: CypherValue): Bindings | null {
  if (name === undefined) return bindings;
  const before = bindings.get(name);
  if (before === undefined) return new Map([...bindings, [name, value]]);
  return equals(before, value) === true ? bindings : null;
}

function around(
  node: MemoryNode,
  { direction, types }: RelationshipPattern,
): [MemoryRelationship, MemoryNode][] {
  const out = node.out.map((relationship): [MemoryRelationship, MemoryNode] => [
    relationship,
    relationship.end,
  ]);
  const into = node.in.map((relationship): [MemoryRelationship, MemoryNode] => [
    relationship,
    relationship.start,
  ]);
  const loops = into.filter(([{ start, end }]) => direction !== 'both' || start !== end);
  const all = direction === 'out' ? out : direction === 'in' ? into : [...out, ...loops];
  return all.filter(([{ type }]) => types.length === 0 || types.includes(type));
}

function fits(labels: LabelExpression, node: MemoryNode): boolean {
  switch (labels.kind) {
    case 'label':
      return node.hasLabel(labels.name);
    case 'and':
      return labels.parts.every((part) => fits(part, node));
    case 'or':
      return labels.parts.some((part) => fits(part, node));
    case 'not':
      return !fits(labels.part, node);
    case 'any':
      return node.labels().length > 0;
  }
}
