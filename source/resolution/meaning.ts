import type { ResolutionKind } from './resolution.js';

/** What a name can stand for before it is decided what to show of it. */
export type Meaning =
  /** A definition of the program itself: the class, the function. */
  | { kind: 'definition'; file: string; definition: number; via: ResolutionKind }
  /** A value whose type is a class of the program. */
  | { kind: 'instance'; file: string; definition: number; via: ResolutionKind }
  /** A file as a namespace. */
  | { kind: 'file'; file: string; via: ResolutionKind }
  /** A Python folder on the way to a module: `pkg` in `import pkg.mod` when it has no `__init__.py`. */
  | { kind: 'folder'; folder: string; via: ResolutionKind }
  /** A value that a script exports and gives no name of its own: `export default new Server()`. */
  | { kind: 'exported'; file: string; name: string; via: ResolutionKind }
  /** A package outside the project, or something in it. */
  | { kind: 'external'; package: string; name: string; via: ResolutionKind };

/**
 * Which of two things of one name is meant: TypeScript keeps values and types apart, so that a local type
 * `Response` is not what `new Response()` constructs.
 */
export type Space = 'value' | 'type';

const STRENGTH = { exact: 0, import: 1, type: 2, name: 3 } as const;

/** The meaning as found by a further step: the weakest step decides how the whole was found. */
export function weakened<M extends Meaning>(meaning: M, via: ResolutionKind): M {
  return STRENGTH[via] > STRENGTH[meaning.via] ? { ...meaning, via } : meaning;
}

/** The member of something external, named with dots. */
export function externalMember(meaning: Meaning & { kind: 'external' }, name: string): Meaning {
  const outer = meaning.name === 'default' ? '' : meaning.name;
  return { ...meaning, name: outer === '' ? name : `${outer}.${name}` };
}

/** Whether two meanings are the same thing, however they were found. */
export function sameMeaning(a: Meaning, b: Meaning): boolean {
  return JSON.stringify({ ...a, via: null }) === JSON.stringify({ ...b, via: null });
}
