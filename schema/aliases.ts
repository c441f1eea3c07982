import { EDGE_ARCHETYPES, edgeArchetype, nodeArchetype } from './archetypes.js';
import { parseId } from './ids.js';
import { CONTEXT_PREFIX, MEMORY_CONTEXT_FIELDS } from './memory.js';
import { MEMORY_RELATION_PREFIX } from './memory-edges.js';

/**
 * What another spelling of a property stands for: a stored property under its own name, or a value that
 * follows from others. `id`: the node's id. `span`: `{start_line, end_line}`. `parameter_types`: of
 * `parameters`. `module`: the qualified name of the module around a symbol. `project`: the Project's name.
 */
export type PropertyAlias =
  | { readonly stored: string }
  | { readonly computed: 'id' | 'span' | 'parameter_types' | 'module' | 'project' };

type AliasTable = Readonly<Record<string, Readonly<Record<string, PropertyAlias>>>>;

const path = { file_path: stored('path'), module_path: stored('path') };
const everywhere = { id: computed('id'), vector_id: computed('id'), project: computed('project') };

/** Other spellings of node properties, per archetype and inherited by its descendants. */
export const PROPERTY_ALIASES: AliasTable = {
  Project: { ...everywhere },
  Directory: { ...everywhere, ...path, qualname: stored('qualified_name') },
  File: { ...everywhere, ...path, qualname: stored('qualified_name'), size: stored('size_bytes') },
  ExternalPackage: { ...everywhere, qualname: stored('qualified_name') },
  Symbol: {
    ...everywhere,
    ...path,
    qualname: stored('qualified_name'),
    line_start: stored('start_line'),
    line_end: stored('end_line'),
    lineno: stored('start_line'),
    end_lineno: stored('end_line'),
    line: stored('start_line'),
    span: computed('span'),
    type: stored('value_type'),
    cyclomatic_complexity: stored('complexity'),
    parameter_types: computed('parameter_types'),
    module: computed('module'),
  },
  Import: { ...everywhere, ...path, lineno: stored('line'), start_line: stored('line') },
  Unresolved: { ...everywhere, qualname: stored('qualified_name') },
  Concept: { ...everywhere, name: stored('label') },
  Memory: {
    ...everywhere,
    name: stored('title'),
    // The context without its prefix, as tools show it.
    ...Object.fromEntries(MEMORY_CONTEXT_FIELDS.map((field) => [field, stored(CONTEXT_PREFIX + field)])),
  },
};

/**
 * The spelling under which a stored property is listed where a node is shown whole to who asks in Cypher, where that is
 * not its own: S0's, whose tool it is (X-17). Per archetype and inherited.
 */
const LISTED_SPELLINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Symbol: { path: 'file_path', start_line: 'line_start', end_line: 'line_end' },
  Import: { path: 'file_path' },
};

/** Other spellings of edge properties, per stored edge name; `*` holds for every edge that has the property. */
export const EDGE_PROPERTY_ALIASES: AliasTable = {
  '*': { lineno: stored('line'), id: stored('relation_id') },
};

/** One stored edge type that an edge's public name stands for, with the conditions under which it does. */
export interface EdgeAlias {
  /** The stored name. */
  readonly edge: string;
  /** Read against its stored direction: the pattern's start is the edge's `to`. */
  readonly reversed?: true;
  /** The label that the stored `from` must carry. */
  readonly from?: string;
  /** The label that the stored `to` must carry. */
  readonly to?: string;
  /** A property that must have this value. */
  readonly where?: { readonly property: string; readonly is: unknown };
}

const CODE_ALIASES: Readonly<Record<string, readonly EdgeAlias[]>> = {
  CALLS: [{ edge: 'symbol_calls_symbol' }],
  MAY_CALL: [{ edge: 'symbol_may_call_symbol' }],
  REFERENCES: [{ edge: 'symbol_references_symbol' }],
  INHERITS: [{ edge: 'symbol_extends_symbol' }],
  EXTENDS: [{ edge: 'symbol_extends_symbol' }],
  IMPLEMENTS: [{ edge: 'symbol_implements_symbol' }, ...both('symbol_implements', 'concept')],
  OVERRIDES: [{ edge: 'symbol_overrides_symbol' }],
  // One nesting step: what a symbol encloses is reached through the symbol.
  CONTAINS: [
    { edge: 'project_contains_dir' },
    { edge: 'dir_contains_dir' },
    { edge: 'dir_contains_file' },
    { edge: 'file_contains_symbol', where: { property: 'top_level', is: true } },
    { edge: 'file_contains_import' },
    { edge: 'symbol_contains_symbol' },
  ],
  DEFINES: [{ edge: 'file_contains_symbol' }],
  DEFINED_IN: [{ edge: 'file_contains_symbol', reversed: true }],
  HAS_METHOD: [{ edge: 'symbol_contains_symbol', to: 'Method' }],
  IMPORTS: [
    { edge: 'file_imports' },
    { edge: 'file_imports_package' },
    { edge: 'symbol_imports' },
    { edge: 'file_contains_import' },
  ],
  DEPENDS_ON: [{ edge: 'file_depends_on_file' }],
  TESTS: [{ edge: 'symbol_tests_symbol' }],
  RESOLVES_TO: [{ edge: 'stub_resolves_to' }, { edge: 'import_resolves_to' }],
  IMPLEMENTS_CONCEPT: both('symbol_implements', 'concept'),
  MENTIONS_CONCEPT: both('file_mentions', 'concept'),
};

const TRACE_ALIASES: Readonly<Record<string, readonly EdgeAlias[]>> = {
  HAS_STEP: [{ edge: 'task_has_step' }],
  INVOKES_TOOL: [{ edge: 'step_invokes_tool' }],
  TOUCHES_FILE: [{ edge: 'tool_touches_file' }],
  TOUCHES_SYMBOL: [{ edge: 'tool_touches_symbol' }],
  HAS_CHECKPOINT: [{ edge: 'step_has_checkpoint' }],
  HAS_ERROR: [{ edge: 'step_has_error' }],
  RESOLVED_BY: [{ edge: 'error_resolved_by_step' }],
  DEPENDS_ON_STEP: [{ edge: 'step_depends_on_step' }],
  RELATED_TO_CONCEPT: [{ edge: 'task_related_to_concept' }],
  SIMILAR_STEP: [{ edge: 'similar_step' }],
  ABOUT: [{ edge: 'memory_about' }],
};

/**
 * The public names of edges (mapping table): name to the stored types it is the union of. DEPENDS_ON, SIMILAR_TO and others of the 35 memory
 * relations share a name with code or trace edges; their ends tell them apart.
 */
export const EDGE_ALIASES: Readonly<Record<string, readonly EdgeAlias[]>> = merge(
  CODE_ALIASES,
  TRACE_ALIASES,
  Object.fromEntries(
    EDGE_ARCHETYPES.filter(({ name }) => name.startsWith(MEMORY_RELATION_PREFIX)).map(({ name }) => [
      name.slice(MEMORY_RELATION_PREFIX.length),
      [{ edge: name }],
    ]),
  ),
);

/**
 * Public edges that no record stands for (X-06, mapping table): an engine computes them. `CONTAINS` from the
 * Project reaches every node of the store in one hop; the others end on virtual nodes.
 */
export const VIRTUAL_EDGES = [
  { name: 'CONTAINS', from: 'Project', to: null },
  { name: 'DOCUMENTED_BY', from: 'Symbol', to: 'DocString' },
  { name: 'PART_OF', from: 'CodeChunk', to: 'File' },
] as const;

/** What a public or stored edge name stands for; empty when it is neither. A stored name includes its descendants. */
export function edgesOf(name: string): readonly EdgeAlias[] {
  const aliases = own(EDGE_ALIASES, name);
  if (aliases !== undefined) return aliases;
  return EDGE_ARCHETYPES.filter((type) => type.lineage.has(name)).map((type) => ({ edge: type.name }));
}

/** What a property's name means on nodes of an archetype; undefined when it means nothing there. */
export function nodeProperty(type: string, name: string): PropertyAlias | undefined {
  const archetype = nodeArchetype(type);
  if (archetype === undefined || Object.hasOwn(archetype.shape, name)) return stored(name);
  for (const ancestor of archetype.lineage) {
    const alias = own(PROPERTY_ALIASES[ancestor], name);
    if (alias !== undefined) return alias;
  }
  return name === 'id' ? computed('id') : undefined;
}

/** What a stored property is called where a node of an archetype is shown whole in Cypher. */
export function listedSpelling(type: string, property: string): string {
  for (const ancestor of nodeArchetype(type)?.lineage ?? []) {
    const spelling = LISTED_SPELLINGS[ancestor]?.[property];
    if (spelling !== undefined) return spelling;
  }
  return property;
}

/** The stored spelling of an edge's property; undefined when the edge type has no such property. */
export function edgeProperty(type: string, name: string): string | undefined {
  const shape = edgeArchetype(type)?.shape;
  if (shape === undefined || Object.hasOwn(shape, name)) return name;
  const alias = own(EDGE_PROPERTY_ALIASES[type], name) ?? own(EDGE_PROPERTY_ALIASES['*'], name);
  return alias !== undefined && 'stored' in alias && Object.hasOwn(shape, alias.stored)
    ? alias.stored
    : undefined;
}

/** A node as a property is read from it. */
export interface PropertySource {
  readonly id: string;
  readonly type: string;
  readonly props: Readonly<Record<string, unknown>>;
}

/**
 * The value of a property under any of its spellings; null when the node has none.
 *
 * @param project the Project's name, for the property `project`
 */
export function readProperty(node: PropertySource, name: string, project = ''): unknown {
  const alias = nodeProperty(node.type, name);
  if (alias === undefined) return null;
  if ('stored' in alias) return node.props[alias.stored] ?? null;
  switch (alias.computed) {
    case 'id':
      return node.id;
    case 'span':
      return { start_line: node.props.start_line, end_line: node.props.end_line };
    case 'parameter_types':
      return parameterTypes(node.props.parameters);
    case 'module':
      return moduleOf(node);
    case 'project':
      return project;
  }
}

/** A symbol's qualified name without what the file itself adds to it. */
function moduleOf({ id, props }: PropertySource): string | null {
  const local = parseId(id)?.name;
  const full = props.qualified_name;
  if (typeof full !== 'string' || local === undefined || local === null) return null;
  return full.endsWith(local)
    ? full.slice(0, full.length - local.length).replace(/(?<![.:#/])[.:#/]+$/u, '')
    : null;
}

function parameterTypes(parameters: unknown): unknown {
  if (!Array.isArray(parameters)) return [];
  return parameters.map((parameter: { type?: unknown }) => parameter.type ?? null);
}

/** What a table says of a name. Names are anybody's: `constructor` is none of a table's own. */
function own<T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}

function stored(name: string): PropertyAlias {
  return { stored: name };
}

function computed(value: 'id' | 'span' | 'parameter_types' | 'module' | 'project'): PropertyAlias {
  return { computed: value };
}

/** The derived edge and its durable twin. */
function both(start: string, end: string): readonly EdgeAlias[] {
  return [{ edge: `${start}_${end}` }, { edge: `${start}_added_${end}` }];
}

function merge(
  ...tables: Readonly<Record<string, readonly EdgeAlias[]>>[]
): Readonly<Record<string, readonly EdgeAlias[]>> {
  const merged: Record<string, readonly EdgeAlias[]> = {};
  for (const [name, edges] of tables.flatMap((table) => Object.entries(table)))
    merged[name] = [...(merged[name] ?? []), ...edges];
  return merged;
}
