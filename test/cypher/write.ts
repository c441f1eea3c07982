import type {
  Clause,
  Expression,
  NodePattern,
  PathPattern,
  RelationshipPattern,
  SetItem,
  Span,
  WritingClause,
} from '../../cypher/ast.js';
import type { CypherValue } from '../../cypher/index.js';
import { parse } from '../../cypher/text/index.js';
import { type MemoryGraph, MemoryNode, MemoryRelationship, type Properties } from './memory-graph.js';

/** The engine: runs a query that only reads. */
export type Read = (
  text: string,
  parameters: ReadonlyMap<string, CypherValue>,
) => Promise<{ readonly columns: readonly string[]; readonly rows: readonly (readonly CypherValue[])[] }>;

type Bindings = Map<string, CypherValue>;

const WRITES = new Set<string>(['create', 'set', 'remove', 'delete', 'merge', 'foreach']);

/**
 * Runs a query that builds or changes a test graph: CREATE, SET, REMOVE and DELETE by hand, all between them through
 * the engine under test, one stretch of clauses after the other.
 */
export async function write(text: string, graph: MemoryGraph, read: Read): Promise<void> {
  const [part, ...more] = parse(text).parts;
  if (part === undefined || more.length > 0) throw new Error('UNION builds nothing');
  const writer = new Writer(text, graph, read);
  let reading: Clause[] = [];
  for (const clause of part.clauses) {
    if (!isWriting(clause)) {
      reading.push(clause);
      continue;
    }
    await writer.read(reading);
    reading = [];
    await writer.write(clause);
  }
}

function isWriting(clause: Clause): clause is WritingClause {
  return WRITES.has(clause.kind);
}

class Writer {
  private rows: Bindings[] = [new Map()];

  constructor(
    private readonly text: string,
    private readonly graph: MemoryGraph,
    private readonly readFrom: Read,
  ) {}

  /** Puts the rows of these clauses, begun from those at hand, in their place. */
  async read(clauses: readonly Clause[]): Promise<void> {
    const [first] = clauses;
    const last = clauses.at(-1);
    if (first === undefined || last === undefined) return;
    const { columns, rows } = await this.ask(
      this.slice({ start: first.span.start, end: last.span.end }),
      '*',
    );
    this.rows = rows.map((row) => new Map(columns.map((name, at) => [name, row[at] ?? null])));
  }

  async write(clause: WritingClause): Promise<void> {
    switch (clause.kind) {
      case 'create':
        for (const pattern of clause.patterns) await this.create(pattern);
        return;
      case 'delete':
        for (const expression of clause.expressions)
          for (const value of await this.values(expression)) this.delete(value, clause.detach);
        return;
      case 'set':
        for (const item of clause.items) await this.set(item);
        return;
      default:
        throw new Error(`${clause.kind} builds no test graph`);
    }
  }

  private async create({ nodes, relationships }: PathPattern): Promise<void> {
    const made: MemoryNode[][] = [];
    for (const node of nodes) made.push(await this.createNodes(node));
    for (const [at, relationship] of relationships.entries()) {
      const [left = [], right = []] = [made[at], made[at + 1]];
      await this.createRelationships(relationship, left, right);
    }
  }

  private async createNodes({ variable, labels, properties }: NodePattern): Promise<MemoryNode[]> {
    const name = variable?.name;
    if (name !== undefined && this.rows.some((row) => row.has(name)))
      return this.rows.map((row) => nodeIn(row.get(name) ?? null));
    const held = await this.maps(properties);
    return this.rows.map((row, at) => {
      const node = this.graph.createNode(labelsOf(labels), held[at] ?? []);
      if (name !== undefined) row.set(name, node);
      return node;
    });
  }

  private async createRelationships(
    { variable, types, direction, properties }: RelationshipPattern,
    left: readonly MemoryNode[],
    right: readonly MemoryNode[],
  ): Promise<void> {
    const held = await this.maps(properties);
    for (const [at, row] of this.rows.entries()) {
      const [start, end] = direction === 'in' ? [right[at], left[at]] : [left[at], right[at]];
      if (start === undefined || end === undefined || types[0] === undefined)
        throw new Error('half a relationship');
      const made = this.graph.createRelationship(types[0], start, end, held[at] ?? []);
      if (variable !== null) row.set(variable.name, made);
    }
  }

  private delete(value: CypherValue, detach: boolean): void {
    if (value instanceof MemoryNode && detach)
      for (const relationship of [...value.out, ...value.in]) this.graph.delete(relationship);
    if (value instanceof MemoryNode || value instanceof MemoryRelationship) this.graph.delete(value);
  }

  private async set(item: SetItem): Promise<void> {
    if (item.kind !== 'property' || item.target.kind !== 'property') throw new Error(`SET of ${item.kind}`);
    const targets = await this.values(item.target.on);
    const values = await this.values(item.value);
    for (const [at, target] of targets.entries())
      if (target instanceof MemoryNode || target instanceof MemoryRelationship)
        target.set(item.target.key, values[at] ?? null);
  }

  private async maps(expression: Expression | null): Promise<Properties[]> {
    if (expression === null) return this.rows.map(() => []);
    return (await this.values(expression)).map((value) => {
      if (value instanceof Map) return value;
      throw new Error('properties are a map');
    });
  }

  private async values(expression: Expression): Promise<CypherValue[]> {
    const constant = constantOf(expression);
    if (constant !== undefined) return this.rows.map(() => constant);
    const { rows } = await this.ask('', this.slice(expression.span));
    return rows.map(([value = null]) => value);
  }

  private ask(clauses: string, returned: string) {
    const names = [...new Set(this.rows.flatMap((row) => [...row.keys()]))];
    const begin =
      names.length === 0
        ? ''
        : `UNWIND $rows AS \` row\` WITH ${names.map((name, at) => `\` row\`[${at}] AS \`${name}\``).join(', ')} `;
    const rows = this.rows.map((row) => names.map((name) => row.get(name) ?? null));
    return this.readFrom(`${begin}${clauses} RETURN ${returned}`, new Map([['rows', rows]]));
  }

  private slice({ start, end }: Span): string {
    return this.text.slice(start, end);
  }
}

function nodeIn(value: CypherValue): MemoryNode {
  if (value instanceof MemoryNode) return value;
  throw new Error('a relationship begins and ends at nodes');
}

function labelsOf(labels: NodePattern['labels']): string[] {
  if (labels === null) return [];
  if (labels.kind === 'label') return [labels.name];
  if (labels.kind === 'and') return labels.parts.flatMap(labelsOf);
  throw new Error('a node is made with labels and &');
}

/** The value of what needs no row; undefined for all else. */
function constantOf(expression: Expression): CypherValue | undefined {
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'minus': {
      const operand = constantOf(expression.operand);
      return typeof operand === 'bigint' || typeof operand === 'number' ? -operand : undefined;
    }
    case 'list': {
      const items = expression.items.map(constantOf);
      return items.every((item) => item !== undefined) ? items : undefined;
    }
    case 'map': {
      const entries: [string, CypherValue][] = [];
      for (const { key, value } of expression.entries) {
        const constant = constantOf(value);
        if (constant === undefined) return undefined;
        entries.push([key, constant]);
      }
      return new Map(entries);
    }
    default:
      return undefined;
  }
}
