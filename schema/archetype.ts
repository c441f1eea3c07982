import { z } from 'zod';
import { CodewalkError } from './errors.js';
import { issuesText } from './issues-text.js';

/** The fields of an archetype: names to zod schemas. */
export type Shape = z.ZodRawShape;

/**
 * Where an archetype lives (ruling X-34): `derived` is rebuilt from source at any time, one store per root;
 * `durable` is never lost and shared by a repository's worktrees.
 */
export type Layer = 'derived' | 'durable';

/**
 * How the edges of a type are ordered wherever order can be observed. `creation`: as they were connected.
 * `canonical`: out-edges by (line, column, type, far id), in-edges by (far id, line, column); a canonical
 * edge is unique per (type, from, to), and connecting it again replaces its properties.
 */
export type EdgeOrder = 'creation' | 'canonical';

/** What node and edge archetypes have in common. */
interface TypeBase {
  readonly name: string;
  /** All fields, inherited ones first. */
  readonly shape: Shape;
  /** Validates and fills the properties. */
  readonly schema: z.ZodObject<Shape>;
  /** The direct parents. */
  readonly parents: readonly TypeBase[];
  /** This archetype's name and every ancestor's: what a filter on a name matches. */
  readonly lineage: ReadonlySet<string>;
  readonly layer: Layer;
  /** One sentence for the reference pages. */
  readonly doc: string;
}

/** A node archetype as data. {@link defineNode} makes one that can also be called. */
export interface NodeType extends TypeBase {
  readonly element: 'node';
  readonly parents: readonly NodeType[];
  /**
   * What has a secondary index (equality and ranges), kept in the batch that writes the record: properties; `tags[]`, the
   * values in a list, one by one; `importance+created_at`, several properties in this order of precedence.
   */
  readonly indexes: readonly string[];
  /** Properties left out of exports and digests: clocks, absolute paths (ruling X-24). */
  readonly volatile: readonly string[];
}

/** An edge archetype as data. {@link defineEdge} makes one that can also be called. */
export interface EdgeType extends TypeBase {
  readonly element: 'edge';
  readonly parents: readonly EdgeType[];
  readonly order: EdgeOrder;
  /** Properties copied into the adjacency entries, so that filters on them read no edge record. */
  readonly inline: readonly string[];
  /** Endpoint archetypes, or null for any. Inherited. */
  readonly from: NodeType | null;
  readonly to: NodeType | null;
}

type ShapeOf<T> = T extends { readonly shape: infer S extends Shape } ? S : Record<never, never>;
type UnionToIntersection<U> = (U extends unknown ? (x: U) => void : never) extends (x: infer I) => void
  ? I
  : never;
type ParentShape<P> = P extends readonly (infer E)[] ? UnionToIntersection<ShapeOf<E>> : ShapeOf<P>;
/** A field that a child declares again replaces its parent's, as it does at run time. */
type Merged<P, S extends Shape> = Omit<ParentShape<P>, keyof S> & S extends infer M extends Shape ? M : S;

/** The properties of a node or edge archetype, as they are read: the output of its schema. */
export type PropsOf<T> = ShapeOf<T> extends infer S extends Shape ? z.output<z.ZodObject<S>> : never;
/** The properties of a node or edge archetype, as they may be given: the input of its schema. */
export type PropsInput<T> = ShapeOf<T> extends infer S extends Shape ? z.input<z.ZodObject<S>> : never;

/** A node that is to be created: connect, upsert or create turns it into a node of the graph. */
export interface NodeDraft<T extends NodeType = NodeType> {
  readonly draft: 'node';
  readonly archetype: T;
  /** Given for nodes with a deterministic id; otherwise the graph makes a time-sortable one. */
  readonly id: string | undefined;
  readonly props: PropsOf<T>;
}

/** An edge that is to be created by a connect. */
export interface EdgeDraft<T extends EdgeType = EdgeType> {
  readonly draft: 'edge';
  readonly archetype: T;
  readonly props: PropsOf<T>;
}

/** A node archetype that is also the constructor of its drafts. */
export interface NodeArchetype<N extends string = string, S extends Shape = Shape> extends NodeType {
  (props?: z.input<z.ZodObject<S>>, options?: { id?: string }): NodeDraft<NodeArchetype<N, S>>;
  readonly name: N;
  readonly shape: S;
}

/** An edge archetype that is also the constructor of its drafts. */
export interface EdgeArchetype<
  N extends string = string,
  S extends Shape = Shape,
  From extends NodeType = NodeType,
  To extends NodeType = NodeType,
> extends EdgeType {
  (props?: z.input<z.ZodObject<S>>): EdgeDraft<EdgeArchetype<N, S, From, To>>;
  readonly name: N;
  readonly shape: S;
  readonly from: From | null;
  readonly to: To | null;
}

/** Options of {@link defineNode}. */
export interface NodeOptions<P extends NodeType | readonly NodeType[]> {
  extends?: P;
  /** Default: the first parent's, else `durable`. */
  layer?: Layer;
  /** Added to the parents' indexes. */
  indexes?: readonly string[];
  /** Added to the parents' volatile properties. */
  volatile?: readonly string[];
  doc?: string;
}

/** Options of {@link defineEdge}. */
export interface EdgeOptions<
  P extends EdgeType | readonly EdgeType[],
  From extends NodeType,
  To extends NodeType,
> {
  extends?: P;
  from?: From;
  to?: To;
  /** Default: the first parent's, else `durable`. */
  layer?: Layer;
  /** Default: the first parent's, else `creation`. */
  order?: EdgeOrder;
  /** Added to the parents' inline properties. `line` and `column` are always inline where declared. */
  inline?: readonly string[];
  doc?: string;
}

/** What references and drafts have themselves. */
const RESERVED = ['id', 'archetype', 'draft'];
const RESERVED_NODE = [...RESERVED, 'gone'];
const RESERVED_EDGE = [...RESERVED, 'from', 'to', 'undirected'];

/**
 * Defines a node archetype: a value that is its type's data and the constructor of its drafts.
 *
 * @example
 * const Symbol = defineNode('Symbol', { name: z.string() });
 * const Fn = defineNode('Function', { arity: z.number().default(0) }, { extends: Symbol });
 * Fn({ name: 'login' });
 *
 * @throws CodewalkError `INVALID_ARCHETYPE` when a field has a reserved name or an index names no field.
 */
export function defineNode<
  const N extends string,
  S extends Shape,
  const P extends NodeType | readonly NodeType[] = never,
>(name: N, shape: S, options: NodeOptions<P> = {}): NodeArchetype<N, [P] extends [never] ? S : Merged<P, S>> {
  const parents = listOf<NodeType>(options.extends);
  const base = describe('node', name, shape, parents, options, RESERVED_NODE);
  const indexes = merged(
    parents.map((p) => p.indexes),
    options.indexes,
  );
  const volatile = merged(
    parents.map((p) => p.volatile),
    options.volatile,
  );
  requireFields(base, [...indexes.flatMap(indexedFields), ...volatile]);
  const make = (props: unknown = {}, draft: { id?: string } = {}) => ({
    draft: 'node' as const,
    archetype: made,
    id: draft.id,
    props: parseProps(base.name, base.schema, props),
  });
  const made = Object.defineProperties(make, fixed({ ...base, element: 'node', indexes, volatile }));
  return made as unknown as NodeArchetype<N, [P] extends [never] ? S : Merged<P, S>>;
}

/**
 * Defines an edge archetype: a value that is its type's data and the constructor of its drafts.
 *
 * @example
 * const Calls = defineEdge('Calls', { weight: z.number().default(1) }, { from: Fn, to: Fn, inline: ['weight'] });
 *
 * @throws CodewalkError `INVALID_ARCHETYPE` as {@link defineNode} does.
 */
export function defineEdge<
  const N extends string,
  S extends Shape,
  const P extends EdgeType | readonly EdgeType[] = never,
  From extends NodeType = NodeType,
  To extends NodeType = NodeType,
>(
  name: N,
  shape: S,
  options: EdgeOptions<P, From, To> = {},
): EdgeArchetype<N, [P] extends [never] ? S : Merged<P, S>, From, To> {
  const parents = listOf<EdgeType>(options.extends);
  const base = describe('edge', name, shape, parents, options, RESERVED_EDGE);
  const positional = ['line', 'column'].filter((field) => field in base.shape);
  const inline = merged([...parents.map((p) => p.inline), positional], options.inline);
  requireFields(base, inline);
  const order = options.order ?? parents[0]?.order ?? 'creation';
  const from = options.from ?? parents.find((p) => p.from)?.from ?? null;
  const to = options.to ?? parents.find((p) => p.to)?.to ?? null;
  const make = (props: unknown = {}) => ({
    draft: 'edge' as const,
    archetype: made,
    props: parseProps(base.name, base.schema, props),
  });
  const made = Object.defineProperties(make, fixed({ ...base, element: 'edge', order, inline, from, to }));
  return made as unknown as EdgeArchetype<N, [P] extends [never] ? S : Merged<P, S>, From, To>;
}

/** Whether `type` is `ancestor` or inherits from it. */
export function isA(
  type: { readonly lineage: ReadonlySet<string> },
  ancestor: { readonly name: string },
): boolean {
  return type.lineage.has(ancestor.name);
}

/**
 * Validates properties against an archetype's schema and fills its defaults.
 *
 * @throws CodewalkError `INVALID_INPUT` that names the archetype and the field.
 */
export function parseProps(
  name: string,
  schema: z.ZodObject<Shape>,
  props: unknown,
): Record<string, unknown> {
  const parsed = schema.safeParse(props);
  if (parsed.success) return parsed.data;
  throw new CodewalkError('INVALID_INPUT', `${name}: ${issuesText(parsed.error)}`, { input: props });
}

function describe<T extends TypeBase>(
  element: string,
  name: string,
  own: Shape,
  parents: readonly T[],
  options: { layer?: Layer; doc?: string },
  reserved: readonly string[],
) {
  for (const field of Object.keys(own)) {
    if (reserved.includes(field))
      throw new CodewalkError(
        'INVALID_ARCHETYPE',
        `${element} ${name}: the field name '${field}' is reserved`,
        {
          suggestion: `Choose another name; reserved are ${reserved.join(', ')}.`,
        },
      );
  }
  const shape: Shape = Object.assign({}, ...parents.map((p) => p.shape), own);
  const lineage = new Set([name, ...parents.flatMap((p) => [...p.lineage])]);
  const layer = options.layer ?? parents[0]?.layer ?? 'durable';
  return {
    name,
    shape,
    schema: z.strictObject(shape),
    parents,
    lineage: lineage as ReadonlySet<string>,
    layer,
    doc: options.doc ?? '',
  };
}

/** The properties that one of {@link NodeType}'s indexes is made of. */
export function indexedFields(index: string): string[] {
  return index.replace(/\[\]$/, '').split('+');
}

function requireFields(base: { name: string; shape: Shape }, fields: readonly string[]): void {
  const missing = fields.find((field) => !(field in base.shape));
  if (missing !== undefined)
    throw new CodewalkError('INVALID_ARCHETYPE', `${base.name} has no field '${missing}' to index or inline`);
}

/** One or several as a list; none of undefined. */
export function listOf<T>(value: T | readonly T[] | undefined): readonly T[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly T[]) : [value as T];
}

function merged(inherited: readonly (readonly string[])[], own: readonly string[] = []): readonly string[] {
  return [...new Set([...inherited.flat(), ...own])];
}

function fixed(fields: object): PropertyDescriptorMap {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, { value, enumerable: true, configurable: true }]),
  );
}
