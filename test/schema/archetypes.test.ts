import { describe, expect, it } from 'vitest';
import {
  AddedConcept,
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

  it('lists ancestors before descendants', () => {
    for (const types of [NODE_ARCHETYPES, EDGE_ARCHETYPES]) {
      const place = new Map(types.map((type, index) => [type.name, index]));
      for (const type of types)
        for (const parent of type.parents)
          expect(place.get(parent.name)).toBeLessThan(place.get(type.name) ?? 0);
    }
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

  it('join similar steps without a direction', () => {
    expect(EDGE_ENDS.filter((ends) => ends.undirected).map((ends) => ends.edge)).toEqual(['similar_step']);
  });
});

describe('limits', () => {
  it('have a default that they accept', () => {
    for (const [name, limit] of Object.entries<{ default?: number; min?: number; max?: number }>(LIMITS)) {
      const { min = 0, max = Number.POSITIVE_INFINITY, default: value = max } = limit;
      expect(value >= min && value <= max, name).toBe(true);
    }
  });
});
