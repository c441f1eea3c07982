import type { ResolutionKind } from './resolution.js';

/** What a name can stand for before it is decided what to show of it. */
export type Meaning =
  /** A definition of the program itself: the class, the function. */
  | (Blank<'file' | 'definition'> & { kind: 'definition'; file: string; definition: number })
  /** A value whose type is a class of the program. */
  | (Blank<'file' | 'definition'> & { kind: 'instance'; file: string; definition: number })
  /** A file as a namespace. */
  | (Blank<'file'> & { kind: 'file'; file: string })
  /** A value that a script exports and gives no name of its own: `export default new Server()`. */
  | (Blank<'file' | 'name'> & { kind: 'exported'; file: string; name: string })
  /** A package outside the project, or something in it. */
  | (Blank<'package' | 'name'> & { kind: 'external'; package: string; name: string });

/** How it was found, and the fields of other kinds but some: the makers below give all meanings one shape. */
type Blank<Own extends string> = { via: ResolutionKind } & {
  [Field in Exclude<'file' | 'definition' | 'package' | 'name', Own>]?: undefined;
};

/**
 * Which of two things of one name is meant: TypeScript keeps values and types apart, so that a local type
 * `Response` is not what `new Response()` constructs.
 */
export type Space = 'value' | 'type';

/** A definition of the program itself. */
export function definitionMeaning(file: string, definition: number, via: ResolutionKind) {
  return made('definition', via, file, definition, NONE, NONE);
}

/** A value whose type is a class of the program. */
export function instanceMeaning(file: string, definition: number, via: ResolutionKind) {
  return made('instance', via, file, definition, NONE, NONE);
}

/** A file as a namespace. */
export function fileMeaning(file: string, via: ResolutionKind) {
  return made('file', via, file, NONE, NONE, NONE);
}

/** A value that a script exports and gives no name of its own. */
export function exportedMeaningOf(file: string, name: string, via: ResolutionKind) {
  return made('exported', via, file, NONE, NONE, name);
}

/** A package outside the project, or something in it. */
export function externalMeaning(of: string, name: string, via: ResolutionKind) {
  return made('external', via, NONE, NONE, of, name);
}

const NONE = undefined;

/** One literal for all: nothing is read more often, and one shape is read fastest. */
function made<const Kind, File, Index, Package, Name>(
  kind: Kind,
  via: ResolutionKind,
  file: File,
  definition: Index,
  of: Package,
  name: Name,
) {
  return { kind, via, file, definition, package: of, name };
}

const STRENGTH = { exact: 0, import: 1, type: 2, name: 3 } as const;

/** The meaning as found by a further step: the weakest step decides how the whole was found. */
export function weakened<M extends Meaning>(meaning: M, via: ResolutionKind): M {
  if (STRENGTH[via] <= STRENGTH[meaning.via]) return meaning;
  const { kind, file, definition, package: of, name } = meaning;
  return made(kind, via, file, definition, of, name) as M;
}

/** The member of something external, named with dots. */
export function externalMember(meaning: Meaning & { kind: 'external' }, name: string): Meaning {
  const outer = meaning.name === 'default' ? '' : meaning.name;
  return externalMeaning(meaning.package, outer === '' ? name : `${outer}.${name}`, meaning.via);
}

/** Whether two meanings are the same thing, however they were found. */
export function sameMeaning(a: Meaning, b: Meaning): boolean {
  return (
    a.kind === b.kind &&
    a.file === b.file &&
    a.definition === b.definition &&
    a.package === b.package &&
    a.name === b.name
  );
}
