import type { CypherMap, CypherNode, CypherValue } from '../../../cypher/index.js';
import { type NodeRef, propOf, propsOf } from '../../../runtime/index.js';
import type { NodeType } from '../../../schema/index.js';
import { LABEL_RULES, labelsOf, listedSpelling, nodeProperty, readProperty } from '../../../schema/index.js';
import { anyValue, ownValue, type Props, valueReader } from './stored-value.js';

/** What a node has that its layer has no more. */
export const GONE = 'gone';

type PropertyReader = (node: FoundNode) => CypherValue;
/** What must be known of a node's archetype: of one that nobody loaded it is its name alone. */
export type ArchetypeShape = Pick<NodeType, 'name' | 'lineage' | 'shape'>;

/** A node of the graph as Cypher sees it. Its properties are there once it was loaded. */
export class FoundNode implements CypherNode {
  readonly kind = 'node';
  readonly key: number;
  readonly id: string;
  readonly archetype: ArchetypeShape;
  readonly #kind: NodeKind;
  /** As stored; null until somebody wants all of them. */
  #props: Props | null = null;
  /** What shows its properties; null: nothing yet, or they were given. */
  #ref: NodeRef | null = null;
  #labels: readonly string[] | null = null;

  constructor(key: number, id: string, kind: NodeKind) {
    this.key = key;
    this.id = id;
    this.#kind = kind;
    this.archetype = kind.archetype;
  }

  /** Whether its properties can be told now. */
  get isLoaded(): boolean {
    return this.#props !== null || this.#ref !== null;
  }

  /** Whether its labels can be told now. */
  get isLabelled(): boolean {
    return this.#kind.labels !== null || this.isLoaded;
  }

  /** Lets a reference of the run show its properties. */
  show(ref: NodeRef): void {
    this.#ref = ref;
  }

  /** Gives it its properties. */
  give(props: Props): void {
    this.#props = props;
  }

  labels(): readonly string[] {
    this.#labels ??= this.#kind.labels ?? this.#decidedLabels();
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
    this.#props ??= propsOf(this.#shown);
    return this.#props;
  }

  /** One property, under its stored name. */
  stored(name: string): unknown {
    return this.#props === null ? propOf(this.#shown, name) : ownValue(this.#props, name);
  }

  #decidedLabels(): readonly string[] {
    const props = Object.fromEntries(this.#kind.deciding.map((name) => [name, this.stored(name)]));
    return labelsOf({ type: this.archetype.name, props });
  }

  get #shown(): NodeRef {
    if (this.#ref === null) throw new TypeError(`${this.id} was not loaded`);
    return this.#ref;
  }
}

/** What nodes of one archetype have in common: labels, where no property decides them, and how properties are read. */
export class NodeKind {
  readonly archetype: ArchetypeShape;
  /** Null: properties decide. */
  readonly labels: readonly string[] | null;
  /** The properties that decide. */
  readonly deciding: readonly string[];
  readonly #readers = new Map<string, PropertyReader>();

  /** @param project The Project's name, which every node tells as `project`. */
  constructor(
    archetype: ArchetypeShape,
    private readonly project: string,
  ) {
    this.archetype = archetype;
    const rules = LABEL_RULES.filter((rule) => archetype.lineage.has(rule.archetype));
    this.deciding = [...new Set(rules.flatMap(({ when }) => when?.property ?? []))];
    this.labels = this.deciding.length > 0 ? null : labelsOf({ type: archetype.name, props: {} });
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
    if (alias === undefined) return name === GONE ? (node) => anyValue(node.stored(GONE)) : () => null;
    if ('stored' in alias) {
      const { stored } = alias;
      const read = valueReader(archetype, stored);
      return (node) => read(node.stored(stored));
    }
    if (alias.computed === 'id') return (node) => node.id;
    return (node) =>
      anyValue(readProperty({ id: node.id, type: archetype.name, props: node.loaded }, name, this.project));
  }
}
