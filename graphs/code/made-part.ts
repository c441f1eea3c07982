import { createHash } from 'node:crypto';
import type { Resolution, Target } from '../../source/index.js';
import { type FilePart, filePart, type Making } from './file-part.js';
import type { IndexedFile } from './own-part.js';
import type { ReferenceSite } from './references.js';
import { definitionIds } from './symbol-node.js';

/** One file's part as it was made for a run. */
export interface MadePart {
  readonly indexed: IndexedFile;
  /** Digest of all that the part follows from: two parts of one basis are the same, but for the clock. */
  readonly basis: string;
  /** Null where the graph holds a part of this basis. */
  readonly part: FilePart | null;
}

/**
 * The part of a file, unless it rests on what it rested on before.
 *
 * @param before The basis of the part that the graph holds; undefined where it holds none that counts.
 */
export function madePart(
  indexed: IndexedFile,
  resolution: Resolution,
  factsOf: ReferenceSite['factsOf'],
  { before, ...making }: Making & { readonly before: string | undefined },
): MadePart {
  const basis = basisOf(indexed, resolution, factsOf);
  const part = basis === before ? null : filePart(indexed, resolution, factsOf, making);
  return { indexed, basis, part };
}

/**
 * A digest of what a file's part follows from: its content, who extracted and wrote it, its module's name, and what
 * its names were resolved to. Of other files only the ids of the targets count, and whether they are components: nothing
 * else of them is in the part. SHA-1, for speed and size; nothing here is a secret.
 */
function basisOf(
  { file, hash, by, module, facts }: IndexedFile,
  { imports, references, inheritance, overrides }: Resolution,
  factsOf: ReferenceSite['factsOf'],
): string {
  const shown = (target: Target | null | undefined) => {
    if (!target || !('definition' in target)) return target;
    const facts = factsOf(target.file);
    const id = facts && definitionIds(target.file, facts)[target.definition];
    // A variable that holds a component is called, another one is used.
    return facts?.definitions[target.definition]?.is_component ? [id] : id;
  };
  // One flat list, each part of it after its length: there is one more per name that the file uses.
  const content: unknown[] = [file.path, file.size, file.language, hash, by, module, facts !== null];
  content.push(imports.length, references.length);
  for (const one of imports) {
    content.push(one.import, one.target, one.submodules, one.definitions.map(shown));
    content.push(one.passed_on.map(({ name, target }) => [name, shown(target)]));
  }
  for (const one of references) {
    content.push(one.reference, shown(one.target), shown(one.constructor_method));
    content.push(one.resolution, one.confidence, one.candidates?.length);
    for (const candidate of one.candidates ?? []) content.push(shown(candidate), candidate.confidence);
  }
  for (const one of inheritance)
    content.push(one.definition, one.base, shown(one.target), one.resolution, one.confidence);
  content.push(overrides.length);
  for (const one of overrides) content.push(one.definition, shown(one.target), one.resolution);
  return createHash('sha1').update(JSON.stringify(content)).digest('base64url');
}
