import { z } from 'zod';
import { defineEdge, defineNode, type EdgeType, type NodeType } from '../../schema/index.js';
import type { ArchetypeCatalog } from '../../storage/index.js';

export function catalogOf(types: readonly (NodeType | EdgeType)[]): ArchetypeCatalog {
  const nodes = new Map(
    types.flatMap((type) => (type.element === 'node' ? [[type.name, type] as const] : [])),
  );
  const edges = new Map(
    types.flatMap((type) => (type.element === 'edge' ? [[type.name, type] as const] : [])),
  );
  return {
    node: (name) => nodes.get(name),
    edge: (name) => edges.get(name),
    descendants: (name) => types.filter((type) => type.lineage.has(name)).map((type) => type.name),
  };
}

export const Sym = defineNode(
  'Symbol',
  { name: z.string(), line: z.number().optional(), doc: z.string().nullable().default(null) },
  { indexes: ['name', 'line'] },
);
export const Fn = defineNode(
  'Function',
  { arity: z.number().default(0), exported: z.boolean().default(false) },
  {
    extends: Sym,
    indexes: ['exported'],
  },
);
export const Cls = defineNode('Class', {}, { extends: Sym });
/** Creation order, everything inline. */
export const Knows = defineEdge('Knows', { weight: z.number().default(1) }, { inline: ['weight'] });
/** Creation order, a record of its own. */
export const Said = defineEdge(
  'Said',
  { text: z.string(), mood: z.string().nullable().default(null) },
  { inline: ['mood'] },
);
/** Canonical order, everything inline. */
export const Calls = defineEdge(
  'Calls',
  { line: z.number(), column: z.number().optional(), how: z.string().optional() },
  { order: 'canonical', inline: ['how'] },
);
/** Canonical order, a record of its own. */
export const Refers = defineEdge(
  'Refers',
  { line: z.number(), note: z.string().optional() },
  { order: 'canonical' },
);
/** Canonical order, no properties. */
export const Contains = defineEdge('Contains', {}, { order: 'canonical' });

export const CATALOG = catalogOf([Sym, Fn, Cls, Knows, Said, Calls, Refers, Contains]);
