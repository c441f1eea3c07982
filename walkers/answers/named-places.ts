import type { ReadContext } from '../../runtime/index.js';
import { CodeSymbol, File } from '../../schema/index.js';
import type { PlaceOf } from '../trace/touched-files.js';

/** Characters of a prompt that are looked at. */
const LONGEST = 20_000;
/** Words of a prompt that are looked up. */
const MOST_WORDS = 24;
/** Places that one word may mean: a name that is everywhere names nothing. */
const MOST_PLACES = 3;
/** A path, or a file's name. */
const PATHS =
  /(?<![\p{L}\p{N}_@.~+-])[\p{L}\p{N}_@.~+-]*(?:[\\/][\p{L}\p{N}_@.~+-]+)+|(?:(?<![\p{L}\p{N}_-])|(?<=\.\p{L}[\p{L}\p{N}]{0,7}))[\p{L}\p{N}_-]+\.\p{L}[\p{L}\p{N}]{0,7}\b/gu;
/** A name that is no word of a language: in backquotes, called, with an underscore, a digit or a hump. */
const NAMES =
  /`([\p{L}_$][\p{L}\p{N}_$.]*)(?:\(\))?`|(?<![\p{L}\p{N}_$.])(?=[\p{L}\p{N}_$.]+\()[\p{L}\p{N}_$.]*?\b([\p{L}_$][\p{L}\p{N}_$.]*)\(|\b([\p{L}_$]{0,50}(?:\p{Ll}\p{Lu}|_\p{L}|\p{L}\d)[\p{L}\p{N}_$]*)\b/gu;

/** The files that a prompt means: those that it names, and those of the symbols that it names. Root-relative. */
export async function namedFiles(
  said: string,
  placeOf: PlaceOf,
  { find }: Pick<ReadContext, 'find'>,
): Promise<string[]> {
  const prompt = said.slice(0, LONGEST);
  const found = new Set<string>();
  for (const [written] of [...prompt.matchAll(PATHS)].slice(0, MOST_WORDS)) {
    const path = written.replace(/(?<!\.)\.+$/u, '');
    const place = placeOf(path);
    if (place !== null && /[\\/]/u.test(path)) found.add(place);
    const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
    const files = (await find(File, { name })).filter((file) => place === null || file.path.endsWith(place));
    if (files.length <= MOST_PLACES) for (const file of files) found.add(file.path);
    else if (place !== null && files.some((file) => file.path === place)) found.add(place);
  }
  const names = new Set(
    [...prompt.matchAll(NAMES)].map(([, quoted, called, humped]) =>
      lastPart(quoted ?? called ?? humped ?? ''),
    ),
  );
  for (const name of [...names].filter((one) => one.length > 2).slice(0, MOST_WORDS)) {
    // Keys of configurations are called `name` and `version`.
    const symbols = (await find(CodeSymbol, { name })).filter(({ kind }) => kind !== 'config');
    const paths = new Set(symbols.map(({ path }) => path));
    if (paths.size <= MOST_PLACES) for (const path of paths) found.add(path);
  }
  return [...found];
}

function lastPart(name: string): string {
  return (
    name
      .replace(/(?<!\.)\.+$/u, '')
      .split('.')
      .at(-1) ?? ''
  );
}
