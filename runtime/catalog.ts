import { z } from 'zod';
import { CodewalkError, type EdgeType, type Layer, type NodeType } from '../schema/index.js';
import type { ArchetypeCatalog } from '../storage/index.js';
import { GenericEdge, Root } from './builtin.js';

/**
 * The archetypes that a graph knows, by name. Archetypes that only the store knows (a walker that defined
 * them is not loaded now) answer as bare types without fields of their own.
 */
export class Catalog implements ArchetypeCatalog {
  readonly #types = new Map<string, NodeType | EdgeType>();
  readonly #descendants = new Map<string, string[]>();
  readonly #bareTypes = new Map<string, NodeType | EdgeType>();
  readonly #defaults = new Map<string, Readonly<Record<string, unknown>>>();

  constructor(types: Iterable<NodeType | EdgeType> = []) {
    for (const type of [Root, GenericEdge, ...types]) this.add(type);
  }

  /**
   * Adds an archetype and its ancestors.
   *
   * @throws CodewalkError `INVALID_ARCHETYPE` when another archetype has the same name.
   */
  add(type: NodeType | EdgeType): void {
    const known = this.#types.get(type.name);
    if (known === type) return;
    if (known)
      throw new CodewalkError('INVALID_ARCHETYPE', `two archetypes are called '${type.name}'`, {
        suggestion: 'Rename one of them; archetype names are unique in a graph.',
      });
    for (const parent of type.parents) this.add(parent);
    this.#types.set(type.name, type);
    for (const ancestor of type.lineage) {
      const names = this.#descendants.get(ancestor) ?? [];
      names.push(type.name);
      this.#descendants.set(ancestor, names);
    }
  }

  node(name: string): NodeType | undefined {
    const type = this.#types.get(name);
    return type?.element === 'node' ? type : undefined;
  }

  edge(name: string): EdgeType | undefined {
    const type = this.#types.get(name);
    return type?.element === 'edge' ? type : undefined;
  }

  descendants(name: string): readonly string[] {
    return this.#descendants.get(name) ?? [name];
  }

  /** Whether the archetype called `name` is `ancestor` or inherits from it. */
  isA(name: string, ancestor: string): boolean {
    return name === ancestor || (this.#types.get(name)?.lineage.has(ancestor) ?? false);
  }

  /** A node archetype as its records show it, for those whose walker is not loaded now. */
  bareNode(name: string, layer: Layer, fields: readonly string[]): NodeType {
    return this.#bare(`node ${name}`, layer, fields, (shape) => ({
      ...Root,
      ...shape,
      name,
      layer,
      element: 'node',
      parents: [],
      lineage: new Set([name]),
    }));
  }

  /** As {@link Catalog.bareNode}, for edges. */
  bareEdge(name: string, layer: Layer, fields: readonly string[]): EdgeType {
    return this.#bare(`edge ${name}`, layer, fields, (shape) => ({
      ...GenericEdge,
      ...shape,
      name,
      layer,
      element: 'edge',
      parents: [],
      lineage: new Set([name]),
    }));
  }

  #bare<T extends NodeType | EdgeType>(
    name: string,
    layer: Layer,
    fields: readonly string[],
    make: (shape: Pick<T, 'shape' | 'schema'>) => T,
  ): T {
    const key = [name, layer, ...fields].join('\0');
    const known = this.#bareTypes.get(key) as T | undefined;
    if (known) return known;
    const shape = Object.fromEntries(fields.map((field) => [field, z.unknown()]));
    const made = make({ shape, schema: z.strictObject(shape) } as Pick<T, 'shape' | 'schema'>);
    this.#bareTypes.set(key, made);
    return made;
  }

  /** The values of fields that have a default: for records written before the field existed. */
  defaults(type: NodeType | EdgeType): Readonly<Record<string, unknown>> {
    const known = this.#defaults.get(type.name);
    if (known) return known;
    const filled: Record<string, unknown> = {};
    for (const [field, schema] of Object.entries(type.schema.shape)) {
      const parsed = (
        schema as { safeParse?: (v: unknown) => { success: boolean; data?: unknown } }
      ).safeParse?.(undefined);
      if (parsed?.success && parsed.data !== undefined) filled[field] = parsed.data;
    }
    this.#defaults.set(type.name, filled);
    return filled;
  }
}
