import type { ReferenceKind } from '../facts.js';

/** One definition of the program. */
export interface DefinitionTarget {
  /** Root-relative path. */
  file: string;
  /** Index into that file's `definitions`. */
  definition: number;
}

/** What a reference or a base turned out to be. */
export type Target =
  | DefinitionTarget
  /** A whole file: a module passed as a value. */
  | { module: string }
  /** Something of a package outside the project; `name` is dotted, `''` for the package itself. */
  | { external: { package: string; name: string } }
  /** Not known: the short name as written. Never bound by name alone. */
  | { unresolved: string };

/** What an import turned out to name; of a package that is many files those that declare what is used of it. */
export type ImportTarget =
  | { file: string }
  | { files: string[] }
  | { package: string; stdlib?: boolean }
  | { unresolved: string };

/**
 * How a target was found (ruling X-23). `exact`: by the scopes of the same file alone; `import`: along imports and
 * re-exports; `type`: through the type of a receiver, or an inherited member; `name`: by its name alone: what names
 * mean in documents ({@link ResolvedName}), and unresolved references.
 */
export type ResolutionKind = 'exact' | 'import' | 'type' | 'name';

/** The place in the source that a result rests on. */
export interface Evidence {
  /** From 1. */
  line: number;
  /** From 0; null where the facts have none. */
  column: number | null;
  /** As written, white space folded. */
  expression: string;
}

/** One import with the file or package it names. */
export interface ResolvedImport {
  file: string;
  /** Index into the file's `imports`. */
  import: number;
  target: ImportTarget;
  /** Python `from package import submodule`: the files of the names that are submodules, sorted. */
  submodules: string[];
  /** What the named imports lead to, re-exports followed; a name that is a type and a value leads to both. */
  definitions: DefinitionTarget[];
  /** What of it the file offers to others. */
  passed_on: readonly PassedOn[];
  evidence: Evidence;
}

/** One name under which a file offers to others what it imported. */
export interface PassedOn {
  /** What others call it; `*`: all that the target offers under the names it has there. */
  name: string;
  target: Target;
}

/** One of several definitions that a call may reach. */
export interface Candidate extends DefinitionTarget {
  /** 0 to 1. */
  confidence: number;
}

/**
 * One reference with what it refers to. A call that reaches several functions, each of them surely, has one entry for
 * each.
 */
export interface ResolvedReference {
  file: string;
  /** Index into the file's `references`. */
  reference: number;
  target: Target;
  /** When `target` is a class that is constructed: its own written constructor; else null. */
  constructor_method: DefinitionTarget | null;
  resolution: ResolutionKind;
  /** 0 to 1; 0 for what is unresolved. */
  confidence: number;
  /** What an ambiguous call could reach besides: alternatives of which no one is sure. */
  candidates?: Candidate[] | undefined;
  /** True for a name that stands alone and calls what it leads to: a function without parameters. */
  called?: true;
  evidence: Evidence;
}

/** A definition that stands in the receiver of a reference: `jinja_env` in `app.jinja_env.filters`. */
export interface ResolvedReceiver {
  /** Index into the file's `references`. */
  reference: number;
  target: DefinitionTarget;
  resolution: ResolutionKind;
  confidence: number;
  evidence: Evidence;
}

/** One written base of a class with what it is. */
export interface ResolvedBase {
  file: string;
  /** Index into the file's `definitions`. */
  definition: number;
  /** Index into that definition's `bases`; -1 where nothing says so: it has the methods. */
  base: number;
  target: Target;
  relation: 'extends' | 'implements';
  resolution: ResolutionKind;
  confidence: number;
  evidence: Evidence;
}

/** One method with what it overrides. */
export interface ResolvedOverride {
  file: string;
  /** Index of the method into the file's `definitions`. */
  definition: number;
  target: DefinitionTarget;
  resolution: ResolutionKind;
  /** As sure as it is that the one class is behind the other. */
  confidence: number;
  evidence: Evidence;
}

/**
 * A definition of a document that a name means which nothing else tells, since it is the only one of that name: no more than
 * the name says so.
 */
export interface ResolvedName {
  /** Index into the file's `references`; null for a table that a string names. */
  reference: number | null;
  /** The innermost enclosing definition, by index. */
  from: number | null;
  kind: ReferenceKind;
  target: DefinitionTarget;
  /** Below 1. */
  confidence: number;
  evidence: Evidence;
}

/** Everything that was resolved, of one file or of a program; each list sorted by path, then position. */
export interface Resolution {
  imports: ResolvedImport[];
  references: ResolvedReference[];
  receivers: ResolvedReceiver[];
  inheritance: ResolvedBase[];
  overrides: ResolvedOverride[];
  /** What open names mean in documents; absent: nothing. */
  names?: ResolvedName[] | undefined;
}
