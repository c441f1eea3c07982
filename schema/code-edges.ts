import { z } from 'zod';
import { defineEdge } from './archetype.js';
import {
  AddedConcept,
  CodeSymbol,
  Concept,
  Directory,
  ExternalPackage,
  File,
  Import,
  Project,
  Unresolved,
} from './code.js';

/*
 * The edges of the code graph. Names are frozen (S3-22, mapping table). Where an end may be one of several
 * archetypes it is left open here; `ends.ts` has every allowed pair.
 */

/** How a call is written (S0-48). */
export const CALL_TYPES = ['direct', 'method', 'constructor'] as const;
/** One of {@link CALL_TYPES}. */
export type CallType = (typeof CALL_TYPES)[number];

/** By what a reference was resolved, the surest first. */
export const RESOLUTIONS = ['exact', 'import', 'type', 'name'] as const;
/** One of {@link RESOLUTIONS}. */
export type Resolution = (typeof RESOLUTIONS)[number];

/** How a name is used that is not called; `run`: by a route, whose framework calls it. */
export const ACCESSES = ['read', 'write', 'type', 'pass', 'run'] as const;
/** One of {@link ACCESSES}. */
export type Access = (typeof ACCESSES)[number];

/** How a name is used at one place, the strongest first. */
export const USES = [
  'call',
  'jsx',
  'decorator',
  'extends',
  'implements',
  'write',
  'read',
  'pass',
  'type',
  'run',
  'reexport',
  'import',
] as const;
/** One of {@link USES}. */
export type Use = (typeof USES)[number];

/** One place in the source that an edge stands for (S2-02). Lines start at 1. */
export const EvidenceProps = z.object({
  line: z.number().int(),
  expression: z.string(),
  /** How the name is used there, where the edge's type and `access` do not say it. */
  use: z.enum(USES).optional(),
});
/** One place in the source that an edge stands for. */
export type Evidence = z.infer<typeof EvidenceProps>;

const line = z.number().int().min(0).default(0);
const position = { line, column: line };
const confidence = z.number().min(0).max(1).default(1);
const evidence = z.array(EvidenceProps).default([]);
const code = { layer: 'derived', order: 'canonical' } as const;
const referred = {
  /** Of the first place; all places are in the evidence. */
  ...position,
  resolution: z.enum(RESOLUTIONS).default('exact'),
  confidence,
  evidence,
};

/** From the project to the root's Directory. */
export const ProjectContainsDir = defineEdge(
  'project_contains_dir',
  {},
  { ...code, from: Project, to: Directory, doc: 'The project holds its root directory.' },
);
/** Nesting of directories. */
export const DirContainsDir = defineEdge(
  'dir_contains_dir',
  {},
  { ...code, from: Directory, to: Directory, doc: 'A directory holds a directory.' },
);
/** Files of a directory, the root's included. */
export const DirContainsFile = defineEdge(
  'dir_contains_file',
  {},
  { ...code, from: Directory, to: File, doc: 'A directory holds a file.' },
);
/** Flat: every symbol of the file, nested ones too. */
export const FileContainsSymbol = defineEdge(
  'file_contains_symbol',
  {
    /** Whether nothing but the file encloses the symbol. */
    top_level: z.boolean().default(true),
    ...position,
  },
  {
    ...code,
    from: File,
    to: CodeSymbol,
    inline: ['top_level'],
    doc: 'A file defines a symbol, nested ones included.',
  },
);
/** One nesting step. */
export const SymbolContainsSymbol = defineEdge(
  'symbol_contains_symbol',
  { ...position },
  { ...code, from: CodeSymbol, to: CodeSymbol, doc: 'A symbol directly encloses a symbol.' },
);
/** The imports that are written in a file. */
export const FileContainsImport = defineEdge(
  'file_contains_import',
  { ...position },
  { ...code, from: File, to: Import, doc: 'A file holds an import statement.' },
);

/** A call that is shown as fact. From a Symbol, or from the File for calls at module level. */
export const SymbolCallsSymbol = defineEdge(
  'symbol_calls_symbol',
  { call_type: z.enum(CALL_TYPES).default('direct'), ...referred },
  { ...code, inline: ['call_type', 'resolution', 'confidence'], doc: 'A call that is shown as fact.' },
);
/** A candidate of an ambiguous call: never fact, never CALLS. */
export const SymbolMayCallSymbol = defineEdge(
  'symbol_may_call_symbol',
  {
    call_type: z.enum(CALL_TYPES).default('direct'),
    ...referred,
    resolution: z.enum(RESOLUTIONS).default('name'),
  },
  { ...code, inline: ['call_type', 'resolution', 'confidence'], doc: 'A candidate of an ambiguous call.' },
);
/** A name that is passed, stored, decorated with or used as a type, not called. */
export const SymbolReferencesSymbol = defineEdge(
  'symbol_references_symbol',
  { access: z.enum(ACCESSES).default('read'), ...referred },
  { ...code, inline: ['access', 'resolution', 'confidence'], doc: 'A name is used without being called.' },
);
/** Child to parent: a class's written base. To a Class, or to Unresolved. */
export const SymbolExtendsSymbol = defineEdge(
  'symbol_extends_symbol',
  { ...referred },
  { ...code, from: CodeSymbol, inline: ['confidence'], doc: 'A class extends another.' },
);
/** Implementation to interface. To a Class (of subkind interface, trait or protocol), or to Unresolved. */
export const SymbolImplementsSymbol = defineEdge(
  'symbol_implements_symbol',
  { ...referred },
  { ...code, from: CodeSymbol, inline: ['confidence'], doc: 'A class implements an interface.' },
);
/** From a method to the nearest one that it overrides, an interface's that it implements included. */
export const SymbolOverridesSymbol = defineEdge(
  'symbol_overrides_symbol',
  { ...referred },
  {
    ...code,
    from: CodeSymbol,
    to: CodeSymbol,
    inline: ['confidence'],
    doc: 'A method overrides one of a base class, or implements one of an interface.',
  },
);
/**
 * How a test comes to what it exercises: by a call in its own body, by one of a helper that it calls or a fixture that
 * it asks for, or, where it calls nothing of the project, by naming it.
 */
export const TEST_WAYS = ['call', 'helper', 'reference'] as const;
/** A test to what it exercises (S3-23). */
export const SymbolTestsSymbol = defineEdge(
  'symbol_tests_symbol',
  {
    ...referred,
    via: z.enum(TEST_WAYS).default('call'),
    /** 1 for the test's own body, and 1 more for each helper in between: the nearest says most about the test. */
    distance: z.number().int().min(1).default(1),
  },
  {
    ...code,
    from: CodeSymbol,
    to: CodeSymbol,
    inline: ['confidence', 'via', 'distance'],
    doc: 'A test exercises a symbol.',
  },
);

/** What an Import leads to: File, Symbol, ExternalPackage or Unresolved. */
export const ImportResolvesTo = defineEdge(
  'import_resolves_to',
  {
    ...position,
    confidence,
    /** The names under which the importing file offers the target to others; `*`: all that the target offers. */
    exported_as: z.array(z.string()).default([]),
  },
  {
    ...code,
    from: Import,
    inline: ['confidence', 'exported_as'],
    doc: 'An import leads to a file, a symbol or a package.',
  },
);
/** File to file, by at least one import. `type_only` when all of them are. */
export const FileImports = defineEdge(
  'file_imports',
  { ...position, type_only: z.boolean().default(false), confidence },
  { ...code, from: File, to: File, inline: ['type_only', 'confidence'], doc: 'A file imports a file.' },
);
/** File to a package outside the project. */
export const FileImportsPackage = defineEdge(
  'file_imports_package',
  { ...position, type_only: z.boolean().default(false) },
  { ...code, from: File, to: ExternalPackage, inline: ['type_only'], doc: 'A file imports a package.' },
);
/** An import inside a function or class body, to the Import and to what it leads to (S1-14, X-09). */
export const SymbolImports = defineEdge(
  'symbol_imports',
  { ...position },
  { ...code, from: CodeSymbol, doc: 'A function imports something in its own body.' },
);
/** From imports and calls together. Follows from other edges, so it is not exported. */
export const FileDependsOnFile = defineEdge(
  'file_depends_on_file',
  { ...position, imports: z.boolean().default(false), calls: z.number().int().min(0).default(0) },
  { ...code, from: File, to: File, doc: 'A file imports a file or calls into it.' },
);
/** A stub to the definition that turned up for it. */
export const StubResolvesTo = defineEdge(
  'stub_resolves_to',
  { ...position, confidence },
  { ...code, from: Unresolved, inline: ['confidence'], doc: 'A stub leads to the definition it stands for.' },
);

/** A symbol to a concept named in it. */
export const SymbolImplementsConcept = defineEdge(
  'symbol_implements_concept',
  { ...position },
  { ...code, from: CodeSymbol, to: Concept, doc: 'A symbol carries a concept.' },
);
/** A file to a concept named in it. */
export const FileMentionsConcept = defineEdge(
  'file_mentions_concept',
  { ...position },
  { ...code, from: File, to: Concept, doc: 'A file mentions a concept.' },
);
/** The durable twin of {@link SymbolImplementsConcept}: indexing again must not lose what a person stated. */
export const SymbolImplementsAddedConcept = defineEdge(
  'symbol_implements_added_concept',
  {},
  {
    extends: SymbolImplementsConcept,
    layer: 'durable',
    to: AddedConcept,
    doc: 'A person or model says that a symbol carries a concept.',
  },
);
/** The durable twin of {@link FileMentionsConcept}. */
export const FileMentionsAddedConcept = defineEdge(
  'file_mentions_added_concept',
  {},
  {
    extends: FileMentionsConcept,
    layer: 'durable',
    to: AddedConcept,
    doc: 'A person or model says that a file mentions a concept.',
  },
);
