import type { FileFacts, Span } from '../../../source/index.js';
import type { ExtraSymbol, FileSymbols } from '../indexing/file-symbols.js';

/** What a symbol is found by, whatever it is, and where its text is. */
export interface Head {
  readonly id: string;
  readonly name: string;
  /** Its path inside the file, its name last. */
  readonly qualname: string;
  readonly signature: string;
  readonly docstring: string | null;
  /** Its text with what it encloses; null where that is another's. */
  readonly span: Span | null;
}

/** The symbols of a file, as {@link FileSymbols} has them. */
export function headsOf({ definitions }: FileFacts, { ids, extras }: FileSymbols): Head[] {
  const taken = new Set<Span>();
  const ofDefinitions = definitions.map(({ name, qualname, signature, docstring, span }, index) => {
    return { id: ids[index] ?? '', name, qualname, signature, docstring, span };
  });
  const ofExtras = extras.map((extra) => {
    const span = spanOf(extra);
    // What several routes of one registration run is said of the first, as everywhere.
    const own = span && !taken.has(span) ? span : null;
    if (own) taken.add(own);
    const { signature } = extra.fact;
    return { id: extra.id, ...namesOf(extra), signature, docstring: null, span: own };
  });
  return [...ofDefinitions, ...ofExtras];
}

function namesOf(extra: ExtraSymbol): Pick<Head, 'name' | 'qualname'> {
  if (extra.as === 'test') return { name: extra.fact.title, qualname: extra.fact.qualname };
  const { name } = extra.as === 'route' ? extra.route : extra.fact;
  return { name, qualname: name };
}

/** A decorator that registers is part of what it decorates. */
function spanOf({ as, fact }: ExtraSymbol): Span | null {
  return as === 'route' && fact.body === null ? null : fact.span;
}
