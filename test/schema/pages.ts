import {
  EDGE_ALIASES,
  EDGE_ENDS,
  ERROR_CODES,
  edgeArchetype,
  exportEdgeKind,
  ID_FORMS,
  LABEL_RULES,
  LIMITS,
  type Limit,
  MEMORY_RELATION_GROUPS,
  MEMORY_RELATION_PREFIX,
  NODE_ARCHETYPES,
  type NodeType,
  PROFILES,
  PROPERTY_ALIASES,
  SETTINGS,
  TOOLS,
} from '../../schema/index.js';

/** The reference pages that are made from the schema: file names under `docs/reference/` to their text. */
export const PAGES: Readonly<Record<string, () => string>> = {
  'config.md': configPage,
  'errors.md': errorsPage,
  'limits.md': limitsPage,
  'schema.md': schemaPage,
  'tools.md': toolsPage,
};

const NOTE = '<!-- Made from schema/ by `npm run golden`: change it there. -->';

function configPage(): string {
  const rows = Object.entries(SETTINGS).map(([name, { doc, default: value, scope, kind }]) => [
    `\`${name}\``,
    doc,
    kind,
    `\`${JSON.stringify(value)}\``,
    scope === 'both' ? 'all, or one project' : scope === 'global' ? 'all projects' : 'one project',
  ]);
  return page(
    'Configuration',
    [
      'One file, `config.json` in the folder of all graphs (`GRAPHS_HOME`, else `~/.graphs`), which only you can read.',
      "A project's settings stand under `projects`, by the real path of its root, and go before those for all projects.",
      'Nothing in a repository can configure Codewalk; `.codewalkignore` only leaves files out.',
    ].join('\n'),
    table(['setting', 'what', 'kind', 'default', 'may be set for'], rows),
    [
      '```sh',
      'codewalk config list                                  # what holds, and where it comes from',
      "codewalk config set exclude 'vendor/**' '*.min.js' --project .",
      'codewalk config set max_file_bytes 4M                 # bytes: also with K, M, G',
      'codewalk config unset max_file_bytes',
      '```',
    ].join('\n'),
    [
      'The file is written whole or not at all. One that is not valid is refused with `CONFIG_INVALID`, which names the',
      'file, the key and the value; it is never overwritten, and what needs settings is refused until it is right again',
      '(`status`, `doctor` and `stop` do not). Settings of files hold from the next `codewalk index` on.',
    ].join('\n'),
  );
}

function errorsPage(): string {
  const rows = Object.entries(ERROR_CODES).map(([code, doc]) => [`\`${code}\``, doc]);
  return page(
    'Error codes',
    'Codes are stable; messages are not. Every error answer has `error`, `error_code`, `suggestion` and `provided_input`.',
    table(['code', 'when'], rows),
  );
}

function limitsPage(): string {
  const rows = Object.entries<Limit>(LIMITS).map(([name, limit]) => [
    `\`${name}\``,
    limit.doc,
    shown(limit.default),
    limit.min === undefined && limit.max === undefined ? '' : `${shown(limit.min)}…${shown(limit.max)}`,
    limit.unit,
    limit.source,
  ]);
  return page(
    'Limits and defaults',
    'What is cut is always said to be cut. `own` marks a choice of ours; the rest is owed.',
    table(['name', 'what', 'default', 'range', 'unit', 'source'], rows),
  );
}

function schemaPage(): string {
  const nodes = NODE_ARCHETYPES.map((type) => [
    `\`${type.name}\``,
    type.doc,
    labelsFor(type.name),
    ownFields(type),
    list(type.indexes),
    type.layer,
  ]);
  const edges = EDGE_ENDS.filter(({ edge }) => !edge.startsWith(MEMORY_RELATION_PREFIX)).map(
    ({ edge, from, to }) => [
      `\`${edge}\``,
      edgeArchetype(edge)?.doc ?? '',
      `${from.join(', ')} → ${to.join(', ')}`,
      aliasesFor(edge),
      list(Object.keys(edgeArchetype(edge)?.shape ?? {})),
      exportEdgeKind(edge) ?? 'not exported',
    ],
  );
  const relations = Object.entries(MEMORY_RELATION_GROUPS).map(([group, names]) => [group, list(names)]);
  const spellings = Object.entries(PROPERTY_ALIASES).map(([type, aliases]) => [
    `\`${type}\``,
    Object.entries(aliases)
      .map(([name, alias]) => `\`${name}\`: ${'stored' in alias ? alias.stored : `(${alias.computed})`}`)
      .join(', '),
  ]);
  const ids = Object.entries(ID_FORMS).map(([form, parts]) => [`\`${form}:\``, parts]);
  return page(
    'The schema',
    'What is stored, and the names it answers to.',
    `## Nodes\n\n${table(['archetype', 'what', 'labels', 'properties of its own', 'indexes', 'layer'], nodes)}`,
    `## Edges\n\n${table(['stored name', 'what', 'ends', 'also called', 'properties', 'in exports'], edges)}`,
    `## Relations between memories\n\nStored with \`${MEMORY_RELATION_PREFIX}\` in front.\n\n${table(['group', 'relations'], relations)}`,
    `## Other spellings of properties\n\n${table(['archetype', 'spelling: stored property'], spellings)}`,
    `## Ids\n\n${table(['prefix', 'what follows'], ids)}`,
  );
}

function toolsPage(): string {
  const rows = TOOLS.map(({ walker, set, command, aliases }) => [
    `\`${walker}\``,
    set ?? 'no tool',
    command === null ? '' : `\`codewalk ${command}\``,
    list(aliases),
  ]);
  const profiles = Object.entries(PROFILES).map(([name, sets]) => [`\`${name}\``, sets.join(', ')]);
  return page(
    'Tools and commands',
    'The whole table; `codewalk walkers` lists what is there today.',
    table(['walker and tool', 'set', 'command', 'also called'], rows),
    `## Profiles\n\n${table(['profile', 'sets'], profiles)}`,
  );
}

function labelsFor(type: string): string {
  return LABEL_RULES.filter((rule) => rule.archetype === type)
    .map(({ label, when }) => (when ? `${label} (by \`${when.property}\`)` : label))
    .join(', ');
}

function aliasesFor(edge: string): string {
  return Object.entries(EDGE_ALIASES)
    .filter(([, aliases]) => aliases.some((alias) => alias.edge === edge))
    .map(([name]) => name)
    .join(', ');
}

function ownFields(type: NodeType): string {
  const inherited = new Set(type.parents.flatMap((parent) => Object.keys(parent.shape)));
  return list(Object.keys(type.shape).filter((field) => !inherited.has(field)));
}

function list(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

function shown(value: number | undefined): string {
  return value === undefined ? '' : value.toLocaleString('en-US');
}

function page(title: string, ...parts: readonly string[]): string {
  return `${NOTE}\n\n# ${title}\n\n${parts.join('\n\n')}\n`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
