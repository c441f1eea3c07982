import type { CypherMap, CypherNode, CypherValue } from '../../../cypher/index.js';
import type { NodeType } from '../../../schema/index.js';
import { LABEL_RULES, labelsOf, listedSpelling, nodeProperty, readProperty } from '../../../schema/index.js';
import { anyValue, valueReader } from './stored-value.js';

type Props = Readonly<Record<string, unknown>>;
type PropertyReader = (node: FoundNode) => CypherValue;
/** What must be known of a node's archetype: of one that nobody loaded it is its name alone. */
export type ArchetypeShape = Pick<NodeType, 'name' | 'lineage' | 'shape'>;

/** A node of the graph as Cypher sees it. Its properties are there once it was loaded. */
export class FoundNode implements CypherNode {
  readonly kind = 'node';
  readonly key: number;
  readonly id: string;
  readonly archetype: ArchetypeShape;
  /** As stored; null until it is loaded. */
  props: Props | null = null;
  readonly #kind: NodeKind;
  #labels: readonly string[] | null = null;

  constructor(key: number, id: string, kind: NodeKind) {
    this.key = key;
    this.id = id;
    this.#kind = kind;
    this.archetype = kind.archetype;
  }

  /** Whether its labels can be told now. */
  get isLabelled(): boolean {
    return this.props !== null || this.#kind.labels !== null;
  }

  labels(): readonly string[] {
    this.#labels ??= this.#kind.labels ?? labelsOf({ type: this.archetype.name, props: this.loaded });
    return this.#labels;
  }

  hasLabel(label: string): boolean {
    return this.labels().includes(label);
  }

  property(name: string): CypherValue {
    return this.#kind.reader(name)(this);
  }

  properties(): CypherMap {
    const listed = new Map<string, CypherValue>();
    for (const [name, stored] of Object.entries(this.loaded)) {
      if (stored === null || stored === undefined) continue;
      listed.set(listedSpelling(this.archetype.name, name), valueReader(this.archetype, name)(stored));
    }
    return listed;
  }

  /** Its properties. The engine loads before it asks: to ask earlier is a fault of ours. */
  get loaded(): Props {
    if (this.props === null) throw new TypeError(`${this.id} was not loaded`);
    return this.props;
  }
}

/** What nodes of one archetype have in common: labels, where no property decides them, and how properties are read. */
export class NodeKind {
  readonly archetype: ArchetypeShape;
  /** Null: properties decide. */
  readonly labels: readonly string[] | null;
  readonly #project: string;
  readonly #readers = new Map<string, PropertyReader>();

  /** @param project The Project's name, which every node tells as `project`. */
  constructor(archetype: ArchetypeShape, project: string) {
    this.archetype = archetype;
    this.#project = project;
    const rules = LABEL_RULES.filter((rule) => archetype.lineage.has(rule.archetype));
    this.labels = rules.some(({ when }) => when !== undefined)
      ? null
      : labelsOf({ type: archetype.name, props: {} });
  }

  reader(name: string): PropertyReader {
    const known = this.#readers.get(name);
    if (known !== undefined) return known;
    const made = this.#make(name);
    this.#readers.set(name, made);
    return made;
  }

  #make(name: string): PropertyReader {
    const { archetype } = this;
    const alias = nodeProperty(archetype.name, name);
    if (alias === undefined) return () => null;
    if ('stored' in alias) {
      const { stored } = alias;
      const read = valueReader(archetype, stored);
      return (node) => read(node.loaded[stored]);
    }
    if (alias.computed === 'id') return (node) => node.id;
    return (node) =>
      anyValue(readProperty({ id: node.id, type: archetype.name, props: node.loaded }, name, this.#project));
  }
}
