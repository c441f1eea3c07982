import { z } from 'zod';
import { defineNode } from './archetype.js';

/*
 * The nodes of the code graph: everything that indexing writes. All of it is derived layer, except
 * AddedConcept. Each property has one stored spelling; `aliases.ts` has the other spellings (ruling X-17).
 */

/** What a Symbol is used as (S3-19). `other`: variables, constants and type aliases. */
export const SYMBOL_KINDS = [
  'function',
  'method',
  'class',
  'component',
  'test',
  'route',
  'config',
  'other',
] as const;

/** Finer than the kind: forms of a class and of what is kind `other`. Null for everything else. */
export const SYMBOL_SUBKINDS = [
  'interface',
  'enum',
  'struct',
  'trait',
  'protocol',
  'variable',
  'constant',
  'type_alias',
] as const;

/** What a component, test, route or config is made of, where it is a definition (mapping table). */
export const CALLABLE_KINDS = ['function', 'method', 'class'] as const;

/** Who may see a symbol, by the language's own rule. */
export const VISIBILITIES = ['public', 'protected', 'private'] as const;

/** Where a variable lives (S1-07). */
export const SCOPES = ['module', 'class', 'function'] as const;

/** How an import is written. */
export const IMPORT_KINDS = ['import', 'dynamic', 'require', 'reexport'] as const;

/** Where a concept comes from (S3-21). */
export const CONCEPT_SOURCES = ['issue', 'todo', 'commit', 'manual', 'llm'] as const;
/** The sources that people and models state: nothing could rebuild them. */
export const ADDED_CONCEPT_SOURCES = ['issue', 'manual', 'llm'] as const;

const text = z.string();
const flag = z.boolean().default(false);
const count = z.number().int().min(0);
const optionalText = text.nullable().default(null);
const optionalCount = count.nullable().default(null);
const texts = z.array(text).default([]);

/** The one project of a store (S3-16). */
export const Project = defineNode(
  'Project',
  {
    /** The manifest's name; empty without one. Never the folder's name (section E). */
    name: text.default(''),
    /** Absolute. */
    root_path: optionalText,
  },
  { layer: 'derived', volatile: ['root_path'], doc: 'The indexed root: one per store.' },
);

/** A directory (S3-17); the root is one too, with the empty path and the name `.`. */
export const Directory = defineNode(
  'Directory',
  {
    /** Relative to the root, with `/`; empty for the root itself. */
    path: text,
    name: text,
    qualified_name: text.default(''),
    /** Whether its language calls it a package: S0-46. */
    is_package: flag,
  },
  {
    layer: 'derived',
    indexes: ['path', 'name', 'qualified_name'],
    doc: 'A directory, and a package of its language.',
  },
);

/** A file, and a module when its definitions are extracted. */
export const File = defineNode(
  'File',
  {
    /** Relative to the root, with `/`, NFC. */
    path: text,
    /** The last part of the path. */
    name: text,
    /** The module's name from the source root (S0-55, X-19); empty for what is no module. */
    qualified_name: text.default(''),
    /** Lower case: `typescript`, `python`, `markdown`; `unknown` when not recognised. */
    language: text.default('unknown'),
    /** With the dot: `.ts`; empty without one. */
    extension: text.default(''),
    size_bytes: count.default(0),
    line_count: optionalCount,
    /** Of the content, lower-case hex. */
    hash: text.default(''),
    /** Whether its symbols are in the graph; false where the language has no extractor or the parse failed. */
    extracted: flag,
    /** Whether it is a module: code whose definitions are in the graph. A configuration, of which the keys are, is none. */
    is_module: flag,
    docstring: optionalText,
    /** Lines of syntax errors; what is around them is in the graph. */
    syntax_errors: z.array(count).default([]),
    /** The index run that wrote it last. */
    generation: count.default(0),
    /** ISO 8601, of the file system. */
    last_modified: optionalText,
    /** ISO 8601. */
    indexed_at: optionalText,
  },
  {
    layer: 'derived',
    indexes: ['path', 'name', 'qualified_name', 'language', 'hash'],
    volatile: ['generation', 'last_modified', 'indexed_at'],
    doc: 'A text file of the project, and a module when its definitions are extracted.',
  },
);

/** A package or standard module outside the project that is imported (S0-52, S0-34). */
export const ExternalPackage = defineNode(
  'ExternalPackage',
  {
    /** As it is imported: `react`, `@scope/name`, `os`, `node:fs`. */
    name: text,
    qualified_name: text.default(''),
    /** The package manager's world: `npm`, `pypi`; null when unknown. */
    ecosystem: optionalText,
    /** Whether it comes with the language. Then its path reads `<stdlib>`. */
    stdlib: flag,
  },
  {
    layer: 'derived',
    indexes: ['name', 'qualified_name'],
    doc: 'A package outside the project that something here imports.',
  },
);

/** One parameter of a callable. */
export const ParameterProps = z.object({ name: text, type: text.nullable() });

/** Anything that a file defines: one stored type, found by the label of its kind as well. */
export const CodeSymbol = defineNode(
  'Symbol',
  {
    name: text,
    kind: z.enum(SYMBOL_KINDS),
    subkind: z.enum(SYMBOL_SUBKINDS).nullable().default(null),
    callable_kind: z.enum(CALLABLE_KINDS).nullable().default(null),
    /** From the source root: `auth.services.UserService.login`. */
    qualified_name: text,
    /** Of its file, relative to the root. */
    path: text,
    language: text,
    /** Lines start at 1, columns at 0, in UTF-16 units. */
    start_line: count,
    end_line: count,
    start_column: count.default(0),
    /** The line of the name itself, below decorators. */
    name_line: optionalCount,
    /** One line, without the body. */
    signature: text.default(''),
    docstring: optionalText,
    /** As written, without `@`. */
    decorators: texts,
    is_async: flag,
    visibility: z.enum(VISIBILITIES).default('public'),
    /** By the language's own rule. */
    exported: flag,
    /** The names under which its file offers it, where that is not its own name alone: `default`, an alias. */
    exported_as: texts,
    /** Whether nothing but the file encloses it. */
    top_level: z.boolean().default(true),
    /** Methods: the qualified name of the class. */
    class_name: optionalText,
    /** Classes: as written, what could not be resolved included. */
    base_classes: texts,
    /** Variables: the type as written or told by a constructor call. */
    value_type: optionalText,
    scope: z.enum(SCOPES).nullable().default(null),
    is_constant: flag,
    return_type: optionalText,
    parameters: z.array(ParameterProps).default([]),
    /** 1, or 2, 3… for later definitions of the same name in the file. */
    ordinal: count.default(1),
    /** Cyclomatic complexity (S0-60). Nobody writes it yet. */
    complexity: optionalCount,
    /** Lines of the definition (S0-60). */
    line_count: optionalCount,
  },
  {
    layer: 'derived',
    indexes: ['name', 'qualified_name', 'path', 'class_name'],
    doc: 'Anything that a file defines.',
  },
);

/** A function. */
export const FunctionSymbol = defineNode(
  'Function',
  { kind: z.literal('function').default('function') },
  { extends: CodeSymbol, doc: 'A function, named arrow functions included.' },
);
/** A method of a class, interface, enum or object. */
export const MethodSymbol = defineNode(
  'Method',
  { kind: z.literal('method').default('method') },
  { extends: CodeSymbol, doc: 'A method; `class_name` says of which class.' },
);
/** A class, interface, enum, struct, trait or protocol: see `subkind`. */
export const ClassSymbol = defineNode(
  'Class',
  { kind: z.literal('class').default('class') },
  { extends: CodeSymbol, doc: 'A class, or what `subkind` says: interface, enum, struct, trait, protocol.' },
);
/** A user interface component. */
export const ComponentSymbol = defineNode(
  'Component',
  { kind: z.literal('component').default('component') },
  { extends: CodeSymbol, doc: 'A user interface component; `callable_kind` says what it is made of.' },
);
/** A test case. */
export const TestSymbol = defineNode(
  'Test',
  { kind: z.literal('test').default('test') },
  { extends: CodeSymbol, doc: 'A test case that a test framework would run.' },
);
/** An HTTP route. */
export const RouteSymbol = defineNode(
  'Route',
  { kind: z.literal('route').default('route') },
  { extends: CodeSymbol, doc: 'An HTTP route; its name is method and path.' },
);
/** A configuration key. */
export const ConfigSymbol = defineNode(
  'Config',
  { kind: z.literal('config').default('config') },
  { extends: CodeSymbol, doc: 'A configuration key.' },
);
/** A variable, constant or type alias: see `subkind`. */
export const OtherSymbol = defineNode(
  'Other',
  { kind: z.literal('other').default('other') },
  { extends: CodeSymbol, doc: 'A variable, constant or type alias, as `subkind` says.' },
);

/** One import statement and module (S1-06, X-09). */
export const Import = defineNode(
  'Import',
  {
    /** As written: `./util`, `react`, `..pkg.mod`. */
    module: text,
    /** The local name of the module itself; null when only names are taken. */
    alias: optionalText,
    /** What is taken, as written: `login`, `login as signIn`, `*`, `default as Auth`. */
    items: texts,
    /** Of the file that it stands in. */
    path: text,
    line: count,
    type_only: flag,
    kind: z.enum(IMPORT_KINDS).default('import'),
  },
  { layer: 'derived', indexes: ['module', 'path'], doc: 'One import statement.' },
);

/** What a reference points to when it leads to nothing in the project: never dropped, never guessed. */
export const Unresolved = defineNode(
  'Unresolved',
  {
    /** The last name: `get` of `requests.get`. */
    name: text,
    /** The package it comes from; null when even that is unknown. */
    package: optionalText,
    /** With the package in front where there is one. */
    qualified_name: text,
  },
  {
    layer: 'derived',
    indexes: ['name', 'package', 'qualified_name'],
    doc: 'A name that leads out of the project.',
  },
);

/** An idea that code carries (S3-21): found by indexing in TODO comments and commit messages. */
export const Concept = defineNode(
  'Concept',
  {
    label: text,
    description: text.default(''),
    source: z.enum(CONCEPT_SOURCES),
  },
  { layer: 'derived', indexes: ['label', 'source'], doc: 'An idea that comments and commits name.' },
);

/** A Concept that a person, an issue or a model stated: durable, since no indexing could bring it back. */
export const AddedConcept = defineNode(
  'AddedConcept',
  {
    source: z.enum(ADDED_CONCEPT_SOURCES).default('manual'),
    /** ISO 8601. */
    created_at: optionalText,
  },
  { extends: Concept, layer: 'durable', doc: 'A concept that a person, an issue or a model stated.' },
);
