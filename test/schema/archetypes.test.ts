import { describe, expect, it } from 'vitest';
import {
  AddedConcept,
  ARCHETYPES,
  CONCEPT_SOURCES,
  CodeSymbol,
  type CodewalkError,
  Concept,
  EDGE_ARCHETYPES,
  EDGE_ENDS,
  edgeArchetype,
  File,
  FileMentionsAddedConcept,
  FunctionSymbol,
  isA,
  knownEdge,
  knownNode,
  LIMITS,
  MEMORY_RELATION_PREFIX,
  NODE_ARCHETYPES,
  nodeArchetype,
  Project,
  SYMBOL_KINDS,
  SymbolCallsSymbol,
  SymbolMayCallSymbol,
  SymbolReferencesSymbol,
} from '../../schema/index.js';

const CODE_EDGES = EDGE_ARCHETYPES.filter((edge) => edge.layer === 'derived').map((edge) => edge.name);

const login = {
  name: 'login',
  qualified_name: 'auth.login',
  path: 'src/auth.py',
  language: 'python',
  start_line: 3,
  end_line: 9,
};

describe('the schema of the code graph', () => {
  it('makes the same draft of properties that are known to be right as of those that are validated', () => {
    const symbol = { ...login, parameters: [{ name: 'a', type: null }], docstring: undefined };
    expect(knownNode(FunctionSymbol, symbol, 'fn:a:b')).toEqual(FunctionSymbol(symbol, { id: 'fn:a:b' }));
    const calls = { line: 3, evidence: [{ line: 3, expression: 'f()' }] };
    const known = knownEdge(SymbolCallsSymbol, calls);
    expect(known).toEqual(SymbolCallsSymbol(calls));
    expect(Object.keys(known.props)).toEqual(Object.keys(SymbolCallsSymbol(calls).props));
  });

  it('has one archetype per name', () => {
    const names = ARCHETYPES.map((type) => type.name);
    expect(new Set(names).size).toBe(names.length);
    for (const type of NODE_ARCHETYPES) expect(nodeArchetype(type.name)).toBe(type);
    for (const type of EDGE_ARCHETYPES) expect(edgeArchetype(type.name)).toBe(type);
  });

  it('lists ancestors before descendants', () => {
    for (const types of [NODE_ARCHETYPES, EDGE_ARCHETYPES]) {
      const place = new Map(types.map((type, index) => [type.name, index]));
      for (const type of types)
        for (const parent of type.parents)
          expect(place.get(parent.name)).toBeLessThan(place.get(type.name) ?? 0);
    }
  });

  it('has the eight edges of S3-22 under their exact names', () => {
    for (const name of [
      'project_contains_dir',
      'dir_contains_dir',
      'dir_contains_file',
      'file_contains_symbol',
      'symbol_calls_symbol',
      'symbol_tests_symbol',
      'symbol_implements_concept',
      'file_mentions_concept',
    ])
      expect(CODE_EDGES).toContain(name);
  });

  it('has the further edges of the mapping table', () => {
    for (const name of [
      'symbol_may_call_symbol',
      'symbol_references_symbol',
      'symbol_extends_symbol',
      'symbol_implements_symbol',
      'symbol_contains_symbol',
      'file_imports',
      'symbol_imports',
      'file_depends_on_file',
      'stub_resolves_to',
    ])
      expect(CODE_EDGES).toContain(name);
  });

  it('keeps every edge of the code graph in canonical order', () => {
    for (const name of CODE_EDGES) expect(edgeArchetype(name)?.order).toBe('canonical');
  });

  it('lets filters on position, confidence and use read no edge record', () => {
    expect(SymbolCallsSymbol.inline).toEqual(['line', 'column', 'call_type', 'resolution', 'confidence']);
    expect(SymbolMayCallSymbol.inline).toEqual(SymbolCallsSymbol.inline);
    expect(SymbolReferencesSymbol.inline).toContain('access');
    expect(edgeArchetype('file_contains_symbol')?.inline).toContain('top_level');
  });

  it('has one symbol archetype for each kind of S3-19, all of them Symbols (X-01)', () => {
    const kinds = NODE_ARCHETYPES.filter((type) => type !== CodeSymbol && isA(type, CodeSymbol)).map((type) =>
      type.name.toLowerCase(),
    );
    expect(kinds.sort()).toEqual([...SYMBOL_KINDS].sort());
  });

  it('fills a symbol from its name, place and language', () => {
    const draft = FunctionSymbol(login, { id: 'fn:src/auth.py:login' });
    expect(draft.id).toBe('fn:src/auth.py:login');
    expect(draft.props).toMatchObject({
      ...login,
      kind: 'function',
      subkind: null,
      ordinal: 1,
      decorators: [],
    });
  });

  it('leaves room for what S0-60 puts off', () => {
    expect(Object.keys(CodeSymbol.shape)).toEqual(
      expect.arrayContaining(['complexity', 'line_count', 'return_type', 'parameters', 'docstring']),
    );
  });

  it('finds symbols by name, qualified name and path, and files by hash', () => {
    expect(FunctionSymbol.indexes).toEqual(expect.arrayContaining(['name', 'qualified_name', 'path']));
    expect(File.indexes).toEqual(expect.arrayContaining(['path', 'qualified_name', 'hash']));
  });

  it('marks clocks and absolute paths as volatile (X-24)', () => {
    expect(File.volatile).toEqual(['generation', 'last_modified', 'indexed_at']);
    expect(Project.volatile).toEqual(['root_path']);
  });

  it('refuses a kind that the archetype is not, naming the field', () => {
    const wrong = { ...login, kind: 'class' };
    expect(() => Reflect.apply(FunctionSymbol, undefined, [wrong])).toThrow(/Function: kind/);
  });

  it('refuses a property that nobody declared', () => {
    const wrong = { ...login, colour: 'red' };
    expect(() => Reflect.apply(FunctionSymbol, undefined, [wrong])).toThrow(
      expect.objectContaining<Partial<CodewalkError>>({ code: 'INVALID_INPUT' }),
    );
  });
});

describe('layers (X-34)', () => {
  it('keep what indexing rebuilds apart from what nothing could rebuild', () => {
    const durable = NODE_ARCHETYPES.filter((type) => type.layer === 'durable').map((type) => type.name);
    expect(durable.sort()).toEqual([
      'AddedConcept',
      'CheckpointNode',
      'Error',
      'Memory',
      'MemoryRelationVersion',
      'MemoryVersion',
      'Step',
      'Task',
      'ToolInvocation',
      'TraceCursor',
      'TraceEvent',
    ]);
  });

  it('keep a stated concept, and what it was stated about, out of the reach of indexing', () => {
    expect(Concept.layer).toBe('derived');
    expect(isA(AddedConcept, Concept)).toBe(true);
    expect(FileMentionsAddedConcept.layer).toBe('durable');
    expect(CONCEPT_SOURCES).toEqual(['issue', 'todo', 'commit', 'manual', 'llm']);
    expect(AddedConcept({ label: 'login', source: 'llm' }).props.source).toBe('llm');
    const todo = { label: 'login', source: 'todo' };
    expect(() => Reflect.apply(AddedConcept, undefined, [todo])).toThrow(/source/);
  });
});

describe('ends', () => {
  it('are listed once for every edge, of archetypes that exist', () => {
    expect(EDGE_ENDS.map((ends) => ends.edge).sort()).toEqual(
      EDGE_ARCHETYPES.map((edge) => edge.name).sort(),
    );
    for (const name of EDGE_ENDS.flatMap((ends) => [...ends.from, ...ends.to]))
      expect(nodeArchetype(name), name).toBeDefined();
  });

  it('agree with the archetypes that state theirs', () => {
    for (const { edge, from, to } of EDGE_ENDS) {
      const type = edgeArchetype(edge);
      if (type?.from) expect(from, edge).toEqual([type.from.name]);
      if (type?.to) expect(to, edge).toEqual([type.to.name]);
    }
  });

  it('let a call at module level start at the File (X-10)', () => {
    expect(EDGE_ENDS.find((ends) => ends.edge === 'symbol_calls_symbol')?.from).toEqual(['Symbol', 'File']);
  });

  it('join similar steps without a direction', () => {
    expect(EDGE_ENDS.filter((ends) => ends.undirected).map((ends) => ends.edge)).toEqual(['similar_step']);
  });

  it('are memories at both ends of all 35 relations', () => {
    const relations = EDGE_ENDS.filter((ends) => ends.edge.startsWith(MEMORY_RELATION_PREFIX));
    expect(relations).toHaveLength(35);
    for (const { from, to } of relations) expect([...from, ...to]).toEqual(['Memory', 'Memory']);
  });
});

describe('limits', () => {
  it('are those of the spec', () => {
    expect(LIMITS.callersDepth).toMatchObject({ default: 1, min: 1, max: 5 });
    expect(LIMITS.hierarchyDepth).toMatchObject({ default: 10, min: 1, max: 10 });
    expect(LIMITS.callGraphDepth).toMatchObject({ default: 3, min: 1, max: 5 });
    expect(LIMITS.callGraphNodes).toMatchObject({ default: 50, min: 1, max: 100 });
    expect(LIMITS.cypherRows).toMatchObject({ default: 50, min: 1, max: 1000 });
    expect(LIMITS.queryRows.max).toBe(100);
    expect(LIMITS.contextRadius).toMatchObject({ default: 1, min: 0, max: 5 });
    expect(LIMITS.searchRows).toMatchObject({ default: 20, min: 1, max: 50 });
    expect(LIMITS.lookupTokens).toMatchObject({ default: 2000, max: 20_000 });
    expect(LIMITS.packTokens).toMatchObject({ default: 6000, max: 20_000 });
    expect(LIMITS.memoryTitle.max).toBe(500);
    expect(LIMITS.memoryContent.max).toBe(50_000);
    expect(LIMITS.hookAnswer.default).toBe(1000);
  });

  it('have a default that they accept', () => {
    for (const [name, limit] of Object.entries<{ default?: number; min?: number; max?: number }>(LIMITS)) {
      const { min = 0, max = Number.POSITIVE_INFINITY, default: value = max } = limit;
      expect(value >= min && value <= max, name).toBe(true);
    }
  });
});
