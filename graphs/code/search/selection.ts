import type { ReadContext } from '../../../runtime/index.js';
import { append, FileContainsSymbol, parseId, SymbolContainsSymbol } from '../../../schema/index.js';

/** What may be found, and whose texts speak for it. */
export interface Selection {
  /** Ids of the files and symbols that may be found. */
  readonly ids: ReadonlySet<string>;
  /** By the id of what may not be found itself: the files and classes that it speaks for, as it stands in them. */
  readonly owners: ReadonlyMap<string, readonly string[]>;
  /** Ids of the documents that are looked at. */
  readonly texts: readonly string[];
}

/** Levels of symbols inside symbols that speak for the outer one: a class's methods and what stands in these. */
const LEVELS = 3;

/** The files and symbols with these ids, with all that stands in them; everything else that ids name is left out. */
export async function selectionOf(
  { q }: Pick<ReadContext, 'q'>,
  given: readonly string[],
): Promise<Selection> {
  const forms = new Map(given.map((id) => [id, parseId(id)?.form ?? '']));
  const ids = new Set(given.filter((id) => TEXTS.has(forms.get(id) ?? '')));
  const owners = new Map<string, string[]>();
  const note = (part: string, owner: string) => {
    if (ids.has(part)) return;
    const known = owners.get(part);
    if (!known) owners.set(part, [owner]);
    else if (!known.includes(owner)) known.push(owner);
  };
  const files = [...ids].filter((id) => forms.get(id) === 'file');
  if (files.length > 0)
    for (const { from, to } of await q(files).out(FileContainsSymbol).edges()) note(to, from);
  let inside = new Map([...ids].filter((id) => forms.get(id) === 'cls').map((id) => [id, [id]]));
  for (let level = 0; level < LEVELS && inside.size > 0; level++) {
    const next = new Map<string, string[]>();
    for (const { from, to } of await q([...inside.keys()])
      .out(SymbolContainsSymbol)
      .edges())
      for (const owner of inside.get(from) ?? []) {
        note(to, owner);
        append(next, to, owner);
      }
    inside = next;
  }
  return { ids, owners, texts: [...ids, ...owners.keys()] };
}

/** Forms of ids that have a text of their own. */
const TEXTS: ReadonlySet<string> = new Set([
  'file',
  'fn',
  'm',
  'cls',
  'var',
  'type',
  'test',
  'route',
  'config',
]);
