import { z } from 'zod';
import { compareText, type NodeDraft } from '../../runtime/index.js';
import {
  Concept,
  conceptId,
  ExternalPackage,
  knownNode,
  packageId,
  stubId,
  Unresolved,
} from '../../schema/index.js';

/** A node that belongs to no single file: there as long as some file brings it. */
export const SharedNode = z.discriminatedUnion('as', [
  z.object({
    as: z.literal('package'),
    name: z.string(),
    ecosystem: z.string().nullable(),
    stdlib: z.boolean(),
  }),
  z.object({
    as: z.literal('stub'),
    name: z.string(),
    package: z.string().nullable(),
    qualified_name: z.string(),
  }),
  z.object({ as: z.literal('todo'), label: z.string(), description: z.string() }),
]);
export type SharedNode = z.infer<typeof SharedNode>;

/** Archetypes of shared nodes: what no file brings any more is found among them. */
export const SHARED_TYPES = [ExternalPackage, Unresolved, Concept] as const;

/** Concepts of commits and people are not brought by files. */
export function isSharedId(id: string): boolean {
  return !id.startsWith('concept:') || id.startsWith(conceptId('todo', ''));
}

/** The id of a shared node. */
export function sharedId(node: SharedNode): string {
  switch (node.as) {
    case 'package':
      return packageId(node.name);
    case 'stub':
      return stubId(node.qualified_name);
    case 'todo':
      return conceptId('todo', node.label);
  }
}

/** A shared node as the graph has it. */
export function sharedDraft(node: SharedNode): NodeDraft {
  const id = sharedId(node);
  switch (node.as) {
    case 'package':
      return knownNode(ExternalPackage, { ...node, qualified_name: node.name }, id);
    case 'stub':
      return knownNode(Unresolved, node, id);
    case 'todo':
      return knownNode(Concept, { ...node, source: 'todo' }, id);
  }
}

/**
 * The shared nodes of a project, by id, with how many files bring each. Files may bring a node in several forms (a
 * package that two languages know): the fullest is the one that counts, whichever came first.
 */
export class SharedNodes {
  /** How many files bring each form of a node. */
  readonly #forms = new Map<string, Map<string, { readonly node: SharedNode; files: number }>>();
  /** What nodes that were touched since {@link SharedNodes.takeChanged} had been like. */
  readonly #before = new Map<string, string>();

  /** One more file brings this node; with -1 one less. */
  count(node: SharedNode, sign: 1 | -1): void {
    const id = sharedId(node);
    if (!this.#before.has(id)) this.#before.set(id, JSON.stringify(this.get(id)));
    const forms = this.#forms.get(id) ?? new Map<string, { node: SharedNode; files: number }>();
    this.#forms.set(id, forms);
    const key = JSON.stringify(node);
    const form = forms.get(key) ?? { node, files: 0 };
    forms.set(key, form);
    form.files += sign;
    if (form.files === 0) forms.delete(key);
    if (forms.size === 0) this.#forms.delete(id);
  }

  /** The node of an id as it should be; null when no file brings it. */
  get(id: string): SharedNode | null {
    const forms = [...(this.#forms.get(id)?.values() ?? [])].map(({ node }) => node);
    forms.sort((a, b) => fullness(b) - fullness(a) || compareText(JSON.stringify(a), JSON.stringify(b)));
    return forms[0] ?? null;
  }

  ids(): Iterable<string> {
    return this.#forms.keys();
  }

  /** The ids of nodes that are not what they were when this was last called. */
  takeChanged(): string[] {
    const changed = [...this.#before].filter(([id, before]) => JSON.stringify(this.get(id)) !== before);
    this.#before.clear();
    return changed.map(([id]) => id);
  }
}

/** How much a form knows. */
function fullness(node: SharedNode): number {
  if (node.as === 'package') return node.ecosystem === null ? 0 : 1;
  return node.as === 'stub' && node.package !== null ? 1 : 0;
}
