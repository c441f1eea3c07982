import { EDGE_ALIASES } from './aliases.js';
import { edgeArchetype } from './archetypes.js';
import type { Labelled } from './labels.js';
import { MEMORY_RELATION_PREFIX } from './memory-edges.js';

/** The node kinds of an export (section E): derived ones, then durable ones. */
export const EXPORT_NODE_KINDS = [
  'project',
  'directory',
  'file',
  'function',
  'method',
  'class',
  'interface',
  'enum',
  'type',
  'variable',
  'component',
  'test',
  'route',
  'config',
  'import',
  'unresolved',
  'concept',
  'Task',
  'Step',
  'ToolInvocation',
  'CheckpointNode',
  'Error',
  'Memory',
] as const;
/** One of {@link EXPORT_NODE_KINDS}. */
export type ExportNodeKind = (typeof EXPORT_NODE_KINDS)[number];

/** Kinds that the archetype alone decides. A package outside the project has no kind of its own in section E. */
const KIND_OF_TYPE: Readonly<Record<string, ExportNodeKind | null>> = {
  Project: 'project',
  Directory: 'directory',
  File: 'file',
  ExternalPackage: 'unresolved',
  Function: 'function',
  Method: 'method',
  Component: 'component',
  Test: 'test',
  Route: 'route',
  Config: 'config',
  Import: 'import',
  Unresolved: 'unresolved',
  Concept: 'concept',
  AddedConcept: 'concept',
  Task: 'Task',
  Step: 'Step',
  ToolInvocation: 'ToolInvocation',
  CheckpointNode: 'CheckpointNode',
  Error: 'Error',
  Memory: 'Memory',
  TraceEvent: null,
  TraceCursor: null,
  MemoryVersion: null,
  MemoryRelationVersion: null,
};

/** The kind of a node in an export; null for bookkeeping, never exported. A user's own archetype is its own kind. */
export function exportNodeKind({ type, props }: Labelled): string | null {
  if (type === 'Class')
    return props.subkind === 'interface' || props.subkind === 'enum' ? props.subkind : 'class';
  if (type === 'Other') return props.subkind === 'type_alias' ? 'type' : 'variable';
  const kind = KIND_OF_TYPE[type];
  return kind === undefined ? type : kind;
}

/**
 * The public name that stands for a stored edge in an export, where it has several or shares one: the flat
 * containment is DEFINES, and IMPORTS is kept for File to File. Null: follows from others, never exported.
 */
const KIND_OF_EDGE: Readonly<Record<string, string | null>> = {
  symbol_extends_symbol: 'INHERITS',
  file_contains_symbol: 'DEFINES',
  symbol_contains_symbol: 'CONTAINS',
  file_contains_import: 'CONTAINS',
  file_imports_package: 'FILE_IMPORTS_PACKAGE',
  symbol_imports: 'SYMBOL_IMPORTS',
  file_depends_on_file: null,
  symbol_implements_concept: 'SYMBOL_IMPLEMENTS_CONCEPT',
  file_mentions_concept: 'FILE_MENTIONS_CONCEPT',
};

const firstAlias = new Map(
  Object.entries(EDGE_ALIASES)
    .toReversed()
    .flatMap(([name, edges]) => edges.map(({ edge }) => [edge, name] as const)),
);

/** The kind of a stored edge in an export; null for one that is not exported. A user's own is its name in upper case. */
export function exportEdgeKind(stored: string): string | null {
  if (stored.startsWith(MEMORY_RELATION_PREFIX)) return stored.slice(MEMORY_RELATION_PREFIX.length);
  // A durable twin is exported under the name of the edge it extends.
  const name = edgeArchetype(stored)?.parents[0]?.name ?? stored;
  const fixed = KIND_OF_EDGE[name];
  return fixed === undefined ? (firstAlias.get(name) ?? name.toUpperCase()) : fixed;
}

/**
 * The kinds of packs and of query_codebase (S2-03) with their priority in ranking (S2-27): the lower, the
 * earlier. `symbol` is a stub there.
 */
export const PACK_KINDS = { function: 0, method: 1, class: 2, module: 3, symbol: 4 } as const;
/** One of {@link PACK_KINDS}. */
export type PackKind = keyof typeof PACK_KINDS;

const PACK_KIND_OF_TYPE: Readonly<Record<string, PackKind>> = {
  File: 'module',
  Function: 'function',
  Method: 'method',
  Class: 'class',
  Unresolved: 'symbol',
};

/** The kind of a node in a pack: of a component, test or route, what it is made of; null for what packs do not show. */
export function packKind({ type, props }: Labelled): PackKind | null {
  const form = props.callable_kind;
  if (form === 'function' || form === 'method' || form === 'class') return form;
  return PACK_KIND_OF_TYPE[type] ?? null;
}
