import { fileId } from '../../../schema/index.js';
import type { MadeDocument, Words } from '../../../search/index.js';
import type { FileFacts, Span } from '../../../source/index.js';
import { type ExtraSymbol, type FileSymbols, fileSymbols } from '../file-symbols.js';
import { CODE_TEXT, type CodeField } from './code-text.js';

/** A stretch of a text that belongs to somebody. */
interface OwnedSpan {
  readonly owner: string;
  readonly span: Span;
}

/** What a symbol is found by, whatever it is, and where its text is. */
interface Head {
  readonly id: string;
  readonly name: string;
  /** Its path inside the file, its name last. */
  readonly qualname: string;
  readonly signature: string;
  readonly docstring: string | null;
  /** Its text with what it encloses; null where that is another's. */
  readonly span: Span | null;
}

/** The place of each field among the counts of a word. */
const PLACES: ReadonlyMap<CodeField, number> = new Map(CODE_TEXT.fields.map((field, at) => [field, at]));

/** The words of a document, counted by field. */
export class CountedWords implements MadeDocument {
  readonly id: string;
  readonly words = new Map<string, number[]>();

  constructor(
    id: string,
    private readonly splitter: Words,
  ) {
    this.id = id;
  }

  count(field: CodeField, text: string): void {
    const at = placeOf(field);
    for (const word of this.splitter.of(text)) {
      const counts = this.words.get(word);
      if (counts) counts[at] = (counts[at] ?? 0) + 1;
      else {
        const fresh = new Array<number>(CODE_TEXT.fields.length).fill(0);
        fresh[at] = 1;
        this.words.set(word, fresh);
      }
    }
  }

  /** What is in one field is not counted in another once more: as far as it stands there. */
  takeAway(field: CodeField, from: CodeField): void {
    this.takeAwayOf(this, field, from);
  }

  /** As {@link takeAway}, for what is in a field of another document. */
  takeAwayOf(other: CountedWords, field: CodeField, from: CodeField): void {
    const [taken, left] = [placeOf(field), placeOf(from)];
    for (const [word, counts] of other.words) {
      const count = counts[taken] ?? 0;
      const own = count > 0 ? this.words.get(word) : undefined;
      if (own) own[left] = Math.max(0, (own[left] ?? 0) - count);
    }
  }

  /** Whether all that is in one field is in another, too. */
  holdsAll(field: CodeField, where: CodeField): boolean {
    const [inner, outer] = [placeOf(field), placeOf(where)];
    for (const counts of this.words.values()) if ((counts[inner] ?? 0) > (counts[outer] ?? 0)) return false;
    return true;
  }
}

/** A file whose words are counted. */
export interface FileText {
  readonly path: string;
  /** Empty where nothing of it is to be found by its words. */
  readonly text: string;
  /** Null without any: then all of the text is the file's. */
  readonly facts: FileFacts | null;
}

/** The documents of a file: its own, then one for each of its symbols. @param file As {@link withoutSecrets} leaves it. */
export function fileDocuments({ path, text, facts }: FileText, words: Words): Iterable<CountedWords> {
  const symbols = facts && fileSymbols(path, facts);
  const heads = facts && symbols ? headsOf(facts, symbols) : [];

  const file = new CountedWords(fileId(path), words);
  file.count('name', path.slice(path.lastIndexOf('/') + 1));
  file.count('path', path);
  file.count('doc', facts?.docstring ?? '');
  const documents = new Map([[file.id, file]]);
  for (const { id, name, qualname, signature, docstring } of heads) {
    const own = new CountedWords(id, words);
    own.count('name', name);
    own.count('owner', ownerOf(qualname, name));
    own.count('path', path);
    own.count('signature', signature);
    own.count('doc', docstring ?? '');
    own.takeAway('name', 'signature');
    documents.set(id, own);
  }
  const around = (id: string) => documents.get(symbols?.parents.get(id) ?? file.id) ?? file;
  for (const { id, name } of heads) around(id).count('parts', name);

  const spans = heads.flatMap(({ id, span }) => (span ? [{ owner: id, span }] : []));
  piecesOfOwners(text, spans, file.id, (owner, piece) => documents.get(owner)?.count('body', piece));
  file.takeAway('doc', 'body');
  for (const { id, span, docstring } of heads) {
    const own = documents.get(id);
    if (!own || span === null) continue;
    own.takeAway('name', 'body');
    own.takeAway('signature', 'body');
    // A doc comment stands in front of what it is about, a docstring in it.
    if (docstring === null) continue;
    if (own.holdsAll('doc', 'body')) own.takeAway('doc', 'body');
    else around(id).takeAwayOf(own, 'doc', 'body');
  }
  return documents.values();
}

/** What stands before a name in its path. */
function ownerOf(qualname: string, name: Head['name']): string {
  return qualname.endsWith(name) ? qualname.slice(0, -name.length) : qualname;
}

function placeOf(field: CodeField): number {
  return PLACES.get(field) ?? 0;
}

/** The symbols of a file, as {@link FileSymbols} has them. */
function headsOf({ definitions }: FileFacts, { ids, extras }: FileSymbols): Head[] {
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

/**
 * What of a text belongs to whom: each piece goes to the innermost owner whose span it lies in, or to the file.
 *
 * @param spans They nest; of two that are the same the later is the inner one.
 * @param file The owner of what lies in no span.
 * @param take Gets every piece with its owner, in the order of the text.
 */
function piecesOfOwners(
  text: string,
  spans: readonly OwnedSpan[],
  file: string,
  take: (owner: string, piece: string) => void,
): void {
  const offsetAt = offsets(text);
  const stretches = spans
    .map(({ owner, span }) => ({
      owner,
      start: offsetAt(span.start_line, span.start_column),
      end: offsetAt(span.end_line, span.end_column),
    }))
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const open: { readonly owner: string; readonly end: number }[] = [{ owner: file, end: text.length }];
  let at = 0;
  const upTo = (end: number) => {
    for (let inner = open.at(-1); inner && at < end; inner = open.at(-1)) {
      const stop = Math.min(end, inner.end);
      if (stop > at) take(inner.owner, text.slice(at, stop));
      at = Math.max(at, stop);
      if (inner.end > at || open.length === 1) return;
      open.pop();
    }
  };
  for (const { owner, start, end } of stretches) {
    upTo(start);
    while (open.length > 1 && (open.at(-1)?.end ?? 0) <= start) open.pop();
    open.push({ owner, end: Math.min(end, open.at(-1)?.end ?? end) });
  }
  upTo(text.length);
}

/** Offsets of lines from 1 and columns from 0; what lies outside is the nearest that there is. */
function offsets(text: string): (line: number, column: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (line, column) => Math.min(text.length, (starts[line - 1] ?? text.length) + column);
}
