import { describe, expect, it } from 'vitest';
import {
  EDGE_ALIASES,
  EDGE_ARCHETYPES,
  EXPORT_NODE_KINDS,
  edgeArchetype,
  edgesOf,
  exportEdgeKind,
  exportNodeKind,
  LABEL_RULES,
  labelsOf,
  NODE_ARCHETYPES,
  nodeArchetype,
  PROPERTY_ALIASES,
  packKind,
  readProperty,
  rulesOf,
} from '../../schema/index.js';

const node = (type: string, props: Record<string, unknown> = {}) => ({ type, props });
const edges = (name: string) => edgesOf(name).map((alias) => alias.edge);

describe('labels of the mapping table', () => {
  it.each([
    [node('Project'), ['Project']],
    [node('Directory'), ['Directory']],
    [node('Directory', { is_package: true }), ['Directory', 'Package']],
    [node('File', { extracted: false }), ['File']],
    [node('File', { is_module: true }), ['File', 'Module']],
    [node('Function'), ['Symbol', 'Function']],
    [node('Method'), ['Symbol', 'Method']],
    [node('Class'), ['Symbol', 'Class']],
    [node('Class', { subkind: 'interface' }), ['Symbol', 'Class', 'Interface']],
    [node('Class', { subkind: 'enum' }), ['Symbol', 'Class', 'Enum']],
    [node('Class', { subkind: 'struct' }), ['Symbol', 'Class', 'Struct']],
    [node('Class', { subkind: 'trait' }), ['Symbol', 'Class', 'Trait']],
    [node('Class', { subkind: 'protocol' }), ['Symbol', 'Class', 'Protocol']],
    [node('Other', { subkind: 'variable' }), ['Symbol', 'Variable']],
    [node('Other', { subkind: 'constant' }), ['Symbol', 'Variable', 'Constant']],
    [node('Other', { subkind: 'type_alias' }), ['Symbol', 'TypeAlias']],
    [node('Component', { callable_kind: 'function' }), ['Symbol', 'Component', 'Function']],
    [node('Component', { callable_kind: 'class' }), ['Symbol', 'Component', 'Class']],
    [node('Test', { callable_kind: 'method' }), ['Symbol', 'Test', 'Method']],
    [node('Test'), ['Symbol', 'Test']],
    [node('Route'), ['Symbol', 'Route']],
    [node('Config'), ['Symbol', 'Config']],
    [node('Import'), ['Import']],
    [node('Unresolved', { package: null }), ['Unresolved']],
    [node('Unresolved', { package: 'requests' }), ['Unresolved', 'ExternalSymbol']],
    [node('AddedConcept'), ['Concept']],
    [node('CheckpointNode'), ['CheckpointNode', 'Checkpoint']],
    [node('Error'), ['Error']],
    [node('Memory'), ['Memory']],
    [node('Mine'), ['Mine']],
  ])('%j answers to %j', (given, labels) => {
    expect(labelsOf(given)).toEqual(labels);
  });

  it('give every archetype at least one, but bookkeeping', () => {
    const bare = NODE_ARCHETYPES.filter((type) => labelsOf(node(type.name)).length === 0);
    expect(bare.map(({ name }) => name)).toEqual([
      'MemoryRelationVersion',
      'MemoryVersion',
      'TraceCursor',
      'TraceEvent',
    ]);
  });

  it('lead from a label to its nodes: by archetype, or by a property of it', () => {
    expect(rulesOf('Function')).toEqual([
      { label: 'Function', archetype: 'Function' },
      ...['Component', 'Test', 'Route', 'Config'].map((archetype) => ({
        label: 'Function',
        archetype,
        when: { property: 'callable_kind', is: ['function'] },
      })),
    ]);
    expect(rulesOf('DocString')).toEqual([]);
  });

  it('ask for properties that the archetype has', () => {
    for (const { archetype, when } of LABEL_RULES)
      if (when) expect(Object.keys(nodeArchetype(archetype)?.shape ?? {})).toContain(when.property);
  });
});

describe('property aliases (X-17)', () => {
  const login = {
    id: 'm:src/auth.py:Auth.login',
    type: 'Method',
    props: {
      name: 'login',
      qualified_name: 'auth.Auth.login',
      path: 'src/auth.py',
      start_line: 3,
      end_line: 9,
      parameters: [
        { name: 'user', type: 'str' },
        { name: 'again', type: null },
      ],
    },
  };

  it.each([
    ['line_start', 3],
    ['lineno', 3],
    ['line_end', 9],
    ['end_lineno', 9],
    ['span', { start_line: 3, end_line: 9 }],
    ['file_path', 'src/auth.py'],
    ['module_path', 'src/auth.py'],
    ['qualname', 'auth.Auth.login'],
    ['vector_id', 'm:src/auth.py:Auth.login'],
    ['parameter_types', ['str', null]],
    ['module', 'auth'],
    ['project', 'shop'],
    ['nothing', null],
  ])('%s of a method is %j', (name, value) => {
    expect(readProperty(login, name, 'shop')).toEqual(value);
  });

  it('never hide a stored property, and stand for ones that exist', () => {
    for (const [type, aliases] of Object.entries(PROPERTY_ALIASES)) {
      const fields = Object.keys(nodeArchetype(type)?.shape ?? {});
      for (const [name, alias] of Object.entries(aliases)) {
        expect(fields, `${type}.${name}`).not.toContain(name);
        if ('stored' in alias) expect(fields, `${type}.${name}`).toContain(alias.stored);
      }
    }
  });
});

describe('edge aliases of the mapping table', () => {
  it('stand for edges and properties that exist', () => {
    for (const [name, aliases] of Object.entries(EDGE_ALIASES))
      for (const { edge, where } of aliases) {
        expect(edgeArchetype(edge), `${name}: ${edge}`).toBeDefined();
        if (where) expect(Object.keys(edgeArchetype(edge)?.shape ?? {})).toContain(where.property);
      }
  });

  it('reach every stored edge by some upper-case name', () => {
    const reached = new Set(
      Object.values(EDGE_ALIASES).flatMap((aliases) => aliases.map((alias) => alias.edge)),
    );
    expect(EDGE_ARCHETYPES.map((edge) => edge.name).filter((name) => !reached.has(name))).toEqual([]);
  });

  it('accept stored names, descendants included', () => {
    expect(edges('tool_touches_file')).toEqual(['tool_touches_file']);
    expect(edges('TOUCHES_FILE')).toEqual(['tool_touches_file']);
    expect(edges('file_mentions_concept')).toEqual(['file_mentions_concept', 'file_mentions_added_concept']);
    expect(edges('NO_SUCH_EDGE')).toEqual([]);
  });
});

describe('kinds of a pack (S2-03)', () => {
  it.each([
    [node('File'), 'module'],
    [node('Method'), 'method'],
    [node('Class', { subkind: 'interface' }), 'class'],
    [node('Component', { callable_kind: 'function' }), 'function'],
    [node('Unresolved'), 'symbol'],
    [node('Other', { subkind: 'variable' }), null],
    [node('Memory'), null],
  ])('%j is %s', (given, kind) => {
    expect(packKind(given)).toBe(kind);
  });
});

describe('kinds of an export (section E)', () => {
  it.each([
    [node('Project'), 'project'],
    [node('Function'), 'function'],
    [node('Class'), 'class'],
    [node('Class', { subkind: 'interface' }), 'interface'],
    [node('Class', { subkind: 'enum' }), 'enum'],
    [node('Class', { subkind: 'struct' }), 'class'],
    [node('Other', { subkind: 'type_alias' }), 'type'],
    [node('Other', { subkind: 'constant' }), 'variable'],
    [node('AddedConcept'), 'concept'],
    [node('ToolInvocation'), 'ToolInvocation'],
    [node('Mine'), 'Mine'],
  ])('%j is %s', (given, kind) => {
    expect(exportNodeKind(given)).toBe(kind);
  });

  it('are all from the list, for every archetype of ours', () => {
    const stored = NODE_ARCHETYPES.filter((type) => type.name !== 'Symbol');
    const kinds = stored.map((type) => exportNodeKind(node(type.name)));
    for (const kind of kinds) expect([...EXPORT_NODE_KINDS, null]).toContain(kind);
    expect(kinds.filter((kind) => kind === null)).toHaveLength(4);
  });

  it('keep IMPORTS for File to File', () => {
    const imports = EDGE_ARCHETYPES.filter((edge) => exportEdgeKind(edge.name) === 'IMPORTS');
    expect(imports.map((edge) => [edge.from?.name, edge.to?.name])).toEqual([['File', 'File']]);
  });
});
