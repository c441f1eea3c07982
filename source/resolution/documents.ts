import type { FileFacts, Reference, ReferenceKind } from '../facts.js';
import { documentNames } from '../languages/index.js';
import { fileKey, offeredNames } from './document-words.js';
import { directoryOf, sharedFolders } from './file-path.js';
import { CONFIDENCE } from './found-target.js';
import type { LookupKey } from './lookups.js';
import type { Program } from './program.js';
import type {
  DefinitionTarget,
  ImportTarget,
  Resolution,
  ResolvedBase,
  ResolvedName,
  ResolvedReference,
} from './resolution.js';

/** How sure it is that code means the only definition of a name. */
const BY_NAME = 0.5;

/** What the imports of a document lead to, and the types that it names: its own, or those of what it imports. */
export function documentResolution(program: Program, path: string, facts: FileFacts): Resolution {
  const targets = facts.imports.map(({ module }) => importedDocument(program, path, module));
  const imported = targets.flatMap((target) => {
    const there = 'file' in target ? program.tables.get(target.file)?.facts : undefined;
    return 'file' in target && there ? [{ file: target.file, types: typesOf(there) }] : [];
  });
  const own = typesOf(facts);
  const references = facts.references.map((reference, index): ResolvedReference => {
    const around = facts.definitions[reference.from ?? -1]?.qualname ?? '';
    const names = scopedNames(around, reference);
    const definition = first(names, own);
    const elsewhere = definition === undefined ? inImported(imported, names) : null;
    const via = definition !== undefined ? 'exact' : elsewhere ? 'import' : 'name';
    return {
      file: path,
      reference: index,
      target:
        definition !== undefined ? { file: path, definition } : (elsewhere ?? { unresolved: reference.name }),
      constructor_method: null,
      resolution: via,
      confidence: CONFIDENCE[via],
      evidence: reference,
    };
  });
  const imports = facts.imports.map(({ line, column, module }, index) => ({
    file: path,
    import: index,
    target: targets[index] ?? { unresolved: module },
    submodules: [],
    definitions: [],
    passed_on: [],
    evidence: { line, column, expression: module },
  }));
  const inheritance = facts.definitions.flatMap(({ bases }, definition) =>
    bases.flatMap(({ name, relation, line }, base): ResolvedBase[] => {
      const behind = own.get(name);
      const evidence = { line, column: null, expression: name };
      const found = { ...{ file: path, definition, base, relation, evidence }, ...EXACT };
      return behind === undefined ? [] : [{ ...found, target: { file: path, definition: behind } }];
    }),
  );
  return { imports, references, receivers: [], inheritance, overrides: [] };
}

const EXACT = { resolution: 'exact', confidence: CONFIDENCE.exact } as const;

/** The document whose path ends as an import says; of several the nearest. */
function importedDocument(program: Program, from: string, module: string): ImportTarget {
  const named = program.documents.get(fileKey(module)) ?? [];
  const ending = named.filter((path) => path === module || path.endsWith(`/${module}`));
  const shared = ending.map((path) => sharedFolders(directoryOf(path), directoryOf(from)));
  const nearest = ending.filter((_, at) => shared[at] === Math.max(...shared));
  if (nearest.length === 1 && nearest[0] !== undefined) return { file: nearest[0] };
  // What comes with the compiler.
  if (/^google\/protobuf\//.test(module)) return { package: 'google/protobuf', stdlib: true };
  return { unresolved: module };
}

/** What a name may mean in full, the innermost first. */
function scopedNames(around: string, { receiver, name }: Reference): string[] {
  const written = receiver === null ? name : `${receiver}.${name}`;
  const names: string[] = [];
  for (let scope = around; scope !== ''; scope = scope.slice(0, Math.max(0, scope.lastIndexOf('.'))))
    names.push(`${scope}.${written}`);
  return [...names, written];
}

/** The types that a document defines, by their qualified names. */
function typesOf({ definitions }: FileFacts): ReadonlyMap<string, number> {
  return new Map(
    definitions.flatMap(({ form, qualname }, index) =>
      form === 'class' || form === 'type' ? [[qualname, index] as const] : [],
    ),
  );
}

function first(names: readonly string[], types: ReadonlyMap<string, number>): number | undefined {
  for (const name of names) {
    const definition = types.get(name);
    if (definition !== undefined) return definition;
  }
  return undefined;
}

function inImported(
  files: readonly { readonly file: string; readonly types: ReadonlyMap<string, number> }[],
  names: readonly string[],
): DefinitionTarget | null {
  for (const { file, types } of files) {
    const definition = first(names, types);
    if (definition !== undefined) return { file, definition };
  }
  return null;
}

/** What the open names of a file mean in documents, and what was looked at for it. */
export interface DocumentNames {
  readonly names: ResolvedName[];
  readonly looked: ReadonlySet<LookupKey>;
}

/**
 * What names of a file that nothing else tells mean in the documents of the project: the only definition of exactly that
 * name. A name is left open that several definitions have. What is looked at is not limited as other lookups are: it is no more
 * than the names of the file.
 */
export function namesInDocuments(
  { documents, tables }: Program,
  path: string,
  found: Resolution,
): DocumentNames {
  const names: ResolvedName[] = [];
  const looked = new Set<LookupKey>();
  const facts = tables.get(path)?.facts;
  const find = (key: string): string | null => {
    looked.add(`document:${key}`);
    const files = documents.get(key);
    return files?.length === 1 ? (files[0] ?? null) : null;
  };
  if (!facts || (facts.references.length === 0 && !facts.tables)) return { names, looked };
  looked.add('document:');
  if (documents.get('') === undefined) return { names, looked };
  const add = (key: string, fits: (named: Named) => boolean, place: Place): boolean => {
    const file = find(key);
    if (file === null) return false;
    looked.add(`file:${file}`);
    const there = tables.get(file)?.facts;
    const definition = there ? (offeredBy(there).get(key) ?? -1) : -1;
    const { form, qualname } = there?.definitions[definition] ?? {};
    if (!there || !form || qualname === undefined) return false;
    const isFolded = documentNames(there.language) === 'folded';
    if (!fits({ form, qualname, isFolded })) return false;
    names.push({ ...place, target: { file, definition }, confidence: BY_NAME });
    return true;
  };
  for (const open of openNames(facts, found)) {
    const { kind, from } = open.reference;
    const place = { reference: open.index, from, kind, evidence: open.reference };
    add(`n:${open.name}`, (named) => isMeant(named, open), place);
  }
  for (const use of facts.tables ?? []) {
    const name = use.name.toLowerCase();
    const last = name.slice(name.lastIndexOf('.') + 1);
    const place = {
      reference: null,
      from: use.from,
      kind: use.writes ? 'write' : 'read',
      evidence: use,
    } as const;
    if (add(`t:${name}`, () => true, place) || last === name) continue;
    // Of a name with a schema the last part means what is defined without one.
    add(`t:${last}`, ({ qualname }) => qualname.toLowerCase() === last, place);
  }
  return { names, looked };
}

/** Where a name of a document stands. */
type Place = Omit<ResolvedName, 'target' | 'confidence'>;

/** What a document offers. */
interface Named {
  readonly qualname: string;
  readonly form: FileFacts['definitions'][number]['form'];
  /** Whether code only names it in statements of its language. */
  readonly isFolded: boolean;
}

const offered = new WeakMap<FileFacts, ReadonlyMap<string, number>>();

/** The definitions that a document offers, by their words. Computed once for its facts. */
function offeredBy(facts: FileFacts): ReadonlyMap<string, number> {
  const known = offered.get(facts) ?? new Map(offeredNames(facts));
  offered.set(facts, known);
  return known;
}

/** A name that nothing tells. */
interface OpenName {
  readonly index: number;
  readonly reference: Reference;
  readonly name: string;
  /** Whether it, or what it is a member of, is imported from what the project lacks. */
  readonly isImported: boolean;
}

function* openNames({ references, imports }: FileFacts, found: Resolution): Generator<OpenName> {
  const foreign = new Set<string>();
  const locals = new Set<string>();
  for (const { import: index, target, submodules } of found.imports) {
    if ('file' in target || 'files' in target || submodules.length > 0) continue;
    if ('package' in target && target.stdlib) continue;
    if ('package' in target) foreign.add(target.package);
    for (const { local } of imports[index]?.names ?? []) if (local !== null) locals.add(local);
  }
  const known = new Set<number>();
  for (const { reference, target, candidates } of found.references)
    if ('definition' in target || 'module' in target || candidates?.length) known.add(reference);
  const done = new Set<number>();
  for (const { reference: index, target } of found.references) {
    const reference = references[index];
    if (!reference || known.has(index) || done.has(index)) continue;
    done.add(index);
    const { receiver, receiver_form, local } = reference;
    const root = /^[\p{L}_$][\p{L}\p{N}_$]*/u.exec(receiver ?? reference.name)?.[0] ?? '';
    const isPath = receiver_form === 'path' || receiver_form === 'none';
    const isImported = isPath && !local && locals.has(root);
    if ('external' in target) {
      const { package: from, name } = target.external;
      const last = name.slice(name.lastIndexOf('.') + 1);
      if (foreign.has(from) || isImported)
        yield {
          index,
          reference,
          name: last === '' || last === 'default' ? reference.name : last,
          isImported: true,
        };
    } else if (receiver !== null || !local) yield { index, reference, name: reference.name, isImported };
  }
}

const MAKING: ReadonlySet<ReferenceKind> = new Set(['new', 'type']);

/** Whether a name can mean a definition: of what is not known a member is an operation that is called, or a type. */
function isMeant({ form, isFolded }: Named, { reference, isImported }: OpenName): boolean {
  if (reference.receiver === null || isImported) return true;
  const isCallable = form === 'function' || form === 'method';
  return isCallable ? reference.kind === 'call' && !isFolded : MAKING.has(reference.kind);
}
