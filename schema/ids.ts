/*
 * Ids of the code graph: readable, and the same on every machine (S2-05, X-19). Paths come in relative to
 * the root, with `/`, NFC, and the case on disk: `source/` sees to that.
 *
 * A path inside a symbol's id has `:` and `%` written as `%3A` and `%25`, so that the first `:` after it
 * ends it; names keep their colons.
 */

/**
 * Every id form: what stands after the prefix. `name`s of one path are told apart by an ordinal, `~2`.
 * `test`, `route` and `config` are for what has no definition of its own; a test that is a function is `fn`.
 */
export const ID_FORMS = {
  project: 'nothing',
  dir: 'path',
  file: 'path',
  fn: 'path and name',
  m: 'path and name',
  cls: 'path and name',
  var: 'path and name',
  type: 'path and name',
  test: 'path and name',
  route: 'path and name',
  config: 'path and name',
  import: 'path and name',
  pkg: 'name',
  sym: 'name',
  concept: 'origin and name',
} as const;

/** The prefix of an id, without its colon. */
export type IdForm = keyof typeof ID_FORMS;
/** The forms that name something inside a file. */
export type LocalForm = {
  [F in IdForm]: (typeof ID_FORMS)[F] extends 'path and name' ? F : never;
}[IdForm];

/** Other spellings of a prefix. */
export const ID_ALIASES = { mod: 'file' } as const satisfies Record<string, IdForm>;

/** Who named a concept: indexing (`todo`, `commit`), or a person, an issue or a model (`added`). */
export type ConceptOrigin = 'todo' | 'commit' | 'added';

/** An id taken apart. */
export interface ParsedId {
  readonly form: IdForm;
  /** Relative to the root; null for forms without one. */
  readonly path: string | null;
  /** The qualified name inside the file, or the name of a package, stub or concept; null for forms without one. */
  readonly name: string | null;
  /** 1 unless the id ends in `~2`, `~3`… */
  readonly ordinal: number;
  /** Concepts only. */
  readonly origin: ConceptOrigin | null;
}

/** The id of the one Project of a store. */
export const PROJECT_ID = 'project:';

/** The id of a Directory; the root has the empty path. */
export const directoryId = (path: string): string => `dir:${path}`;

/** The id of a File. */
export const fileId = (path: string): string => `file:${path}`;

/**
 * The id of something inside a file: a symbol, or an import (whose name is its module as written).
 *
 * @param ordinal 1 for the first of this form and name in the file, 2 for the second…
 * @example localId('m', 'src/auth.ts', 'Auth.login', 2) // 'm:src/auth.ts:Auth.login~2'
 */
export function localId(form: LocalForm, path: string, name: string, ordinal = 1): string {
  const suffix = ordinal > 1 ? `~${ordinal}` : '';
  return `${form}:${escapePath(path)}:${escapeName(name)}${suffix}`;
}

/** The id of an ExternalPackage: its name as it is imported. */
export const packageId = (name: string): string => `pkg:${name}`;

/** The id of an Unresolved stub: its qualified name. */
export const stubId = (qualifiedName: string): string => `sym:${qualifiedName}`;

/** The id of a Concept. Concepts are one per origin and label, so that no layer holds another's node. */
export const conceptId = (origin: ConceptOrigin, label: string): string => `concept:${origin}:${label}`;

/** Whether an id is that of a Concept that a commit named: the only nodes of the code graph that are not made of files. */
export const isCommitConcept = (id: string): boolean => id.startsWith(COMMIT_CONCEPT);
const COMMIT_CONCEPT = conceptId('commit', '');

/**
 * An id of the code graph taken apart, `mod:` read as `file:`; null for anything else, ids of traces and
 * memories included. `formatId(parseId(id))` is the canonical spelling.
 */
export function parseId(id: string): ParsedId | null {
  const colon = id.indexOf(':');
  const form = colon < 0 ? undefined : formOf(id.slice(0, colon));
  if (form === undefined) return null;
  const rest = id.slice(colon + 1);
  switch (ID_FORMS[form]) {
    case 'nothing':
      return rest === '' ? parsed(form, null, null) : null;
    case 'path':
      return parsed(form, rest, null);
    case 'name':
      return rest === '' ? null : parsed(form, null, rest);
    case 'origin and name':
      return parseConcept(form, rest);
    case 'path and name':
      return parseLocal(form, rest);
  }
}

/** The id that {@link parseId} took apart. */
export function formatId(id: ParsedId): string {
  const { form, path, name, ordinal, origin } = id;
  if (path !== null && name !== null && isLocal(form)) return localId(form, path, name, ordinal);
  if (origin !== null) return conceptId(origin, name ?? '');
  return `${form}:${path ?? name ?? ''}`;
}

/** The canonical spelling of an id: aliases of prefixes resolved; an id that is not of these forms as it is. */
export function canonicalId(id: string): string {
  const taken = parseId(id);
  return taken === null ? id : formatId(taken);
}

function formOf(prefix: string): IdForm | undefined {
  if (Object.hasOwn(ID_FORMS, prefix)) return prefix as IdForm;
  return Object.hasOwn(ID_ALIASES, prefix) ? ID_ALIASES[prefix as keyof typeof ID_ALIASES] : undefined;
}

function isLocal(form: IdForm): form is LocalForm {
  return ID_FORMS[form] === 'path and name';
}

function parsed(form: IdForm, path: string | null, name: string | null, ordinal = 1): ParsedId {
  return { form, path, name, ordinal, origin: null };
}

function parseLocal(form: IdForm, rest: string): ParsedId | null {
  const colon = rest.indexOf(':');
  if (colon < 0 || colon === rest.length - 1) return null;
  const whole = rest.slice(colon + 1);
  const [, name = '', ordinal] = whole.includes('~')
    ? (/^(.*?)(?:~([2-9]|[1-9]\d+))?$/su.exec(whole) ?? [])
    : [whole, whole];
  if (name === '') return null;
  return parsed(
    form,
    unpercent(rest.slice(0, colon)),
    unpercent(name),
    ordinal === undefined ? 1 : Number(ordinal),
  );
}

function parseConcept(form: IdForm, rest: string): ParsedId | null {
  const [, origin, name = null] = /^(todo|commit|added):(.+)$/su.exec(rest) ?? [];
  return origin === undefined ? null : { ...parsed(form, null, name), origin: origin as ConceptOrigin };
}

const escapePath = (path: string): string => percent(path, /[%:\p{Cc}]/gu);

// A name that itself ends like an ordinal would be read as another definition.
const escapeName = (name: string): string => percent(name, /[%\p{Cc}]|~(?=\d+$)/gu);

function percent(text: string, what: RegExp): string {
  return text.replace(what, encodeAscii);
}

function encodeAscii(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

function unpercent(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/%([0-9A-F]{2})/gu, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** The last part of a dotted name: `login` of `auth.User.login`. */
export function lastNamePart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** The last part of the name in an id: `login` of `m:src/auth.ts:Auth.login`; empty where it has none. */
export function ownNameIn(id: string): string {
  return lastNamePart(parseId(id)?.name ?? '');
}
