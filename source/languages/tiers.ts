import { languages } from './registry.js';

/** How well a language is read, in the words of docs/languages.md. */
export const TIERS = {
  T1: 'symbols, imports, names within a file and a package',
  T2: 'T1, and declared types: receivers, overloads, generics, dispatch to interfaces',
  T3: 'T2, and inferred types: what assignments, returns and arguments bring',
  keys: 'the keys of manifests and settings',
  documents: 'what is defined in schemas and interfaces, and who uses its names',
  text: 'words alone: no symbols are extracted',
} as const;
/** One of {@link TIERS}. */
export type Tier = keyof typeof TIERS;

const INFERRED = 'typescript tsx javascript jsx vue python ruby';
const NAMES_ALONE = 'shell lua';

/** The tier of a language by its name. */
export function tierOf(name: string): Tier {
  const language = languages.find((one) => one.name === name);
  if (language === undefined) return 'text';
  if (language.grammar === null) return language.names === undefined ? 'keys' : 'documents';
  if (INFERRED.split(' ').includes(name)) return 'T3';
  return NAMES_ALONE.split(' ').includes(name) ? 'T1' : 'T2';
}
