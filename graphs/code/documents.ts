import { fileId, LIMITS, parseId } from '../../schema/index.js';
import { defineTextIndex, type MadeDocument, madeDocuments, Words } from '../../search/index.js';
import { type FileFacts, type MakeDocuments, type Span, withoutSecrets } from '../../source/index.js';
import { fileSymbols } from './symbols.js';

/**
 * The text index of the code: a document for every File and every Symbol, under the node's id, written by the index
 * runs with the nodes. Every word of a text counts in one field: what a name or a signature says is not counted once
 * more in the body.
 *
 * - `name`: a symbol's own name, the title of a test; of a file its name.
 * - `owner`: the names of what encloses the symbol in its file: a class, suites of tests.
 * - `path`: the path of the file.
 * - `signature`: the head of a definition, without its name.
 * - `doc`: its docstring or doc comment.
 * - `parts`: the names of what it directly encloses.
 * - `body`: its own text, without that of what it encloses; of a file what no symbol holds.
 */
export const CODE_TEXT = defineTextIndex('code-2', {
  layer: 'derived',
  fields: { name: 4, owner: 1, path: 1, signature: 2, doc: 2, parts: 1, body: 1 },
  // What a file says is one group.
  groupOf: (id) => parseId(id)?.path ?? id,
});

type CodeField = (typeof CODE_TEXT)['fields'][number];

/** What lists the exact versions of all packages: long, written by tools, and found by nothing that anybody asks. */
const LOCK_FILE = /(?:^|[\\/])(?:[^\\/]*[-.]lock(?:\.[a-z]+)?|npm-shrinkwrap\.json|go\.sum)$/i;

/** Makes the documents of files, on one thread: as index runs store them. */
export function documentMaker(): MakeDocuments {
  const words = new Words();
  return ({ path, text, facts }) => {
    const isData = facts === null && (text.length > LIMITS.indexedText.max || LOCK_FILE.test(path));
    const shown = isData ? '' : text;
    // What facts were made of has no secrets.
    return madeDocuments(fileDocuments(path, facts === null ? withoutSecrets(shown) : shown, facts, words));
  };
}

/** The words of a document, counted by field. */
export class CountedWords implements MadeDocument {
  readonly words = new Map<string, number[]>();

  constructor(
    readonly id: string,
    private readonly splitter: Words,
  ) {}

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

  /** What is in a field, of this document or another, is not counted in a second one too: as far as it stands there. */
  takeAway(field: CodeField, from: CodeField, other: CountedWords = this): void {
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

function placeOf(field: CodeField): number {
  return CODE_TEXT.fields.indexOf(field);
}

/** What a symbol is found by, whatever it is. */
interface Head {
  readonly id: string;
  readonly name: string;
  readonly qualname: string;
  readonly signature: string;
  readonly docstring: string | null;
  /** Its text with what it encloses; null where that is another's. */
  readonly span: Span | null;
}

/**
 * The documents of a file: its own, then one for each of its symbols.
 *
 * @param text Empty where nothing of it is to be found by its words.
 */
function fileDocuments(
  path: string,
  text: string,
  facts: FileFacts | null,
  words: Words,
): Iterable<CountedWords> {
  const symbols = facts && fileSymbols(path, facts);
  const heads: Head[] = [];
  for (const [index, definition] of (facts?.definitions ?? []).entries())
    heads.push({ ...definition, id: symbols?.ids[index] ?? '' });
  const taken = new Set<Span>();
  for (const { as, id, name, qualname, fact } of symbols?.extras ?? []) {
    // A decorator that registers is part of what it decorates; the text of several routes belongs to the first.
    const isOthers = (as === 'route' && fact.body === null) || taken.has(fact.span);
    taken.add(fact.span);
    const span = isOthers ? null : fact.span;
    heads.push({ id, name, qualname, signature: fact.signature, docstring: null, span });
  }

  const file = new CountedWords(fileId(path), words);
  file.count('name', path.slice(path.lastIndexOf('/') + 1));
  file.count('path', path);
  file.count('doc', facts?.docstring ?? '');
  const documents = new Map([[file.id, file]]);
  for (const { id, name, qualname, signature, docstring } of heads) {
    const own = new CountedWords(id, words);
    own.count('name', name);
    own.count('owner', qualname.endsWith(name) ? qualname.slice(0, -name.length) : qualname);
    own.count('path', path);
    own.count('signature', signature);
    own.count('doc', docstring ?? '');
    own.takeAway('name', 'signature');
    documents.set(id, own);
  }
  const around = (id: string) => documents.get(symbols?.parents.get(id) ?? file.id) ?? file;
  for (const { id, name } of heads) around(id).count('parts', name);

  piecesOfOwners(text, heads, file.id, (owner, piece) => documents.get(owner)?.count('body', piece));
  file.takeAway('doc', 'body');
  for (const { id, span, docstring } of heads) {
    const own = documents.get(id);
    if (!own || span === null) continue;
    own.takeAway('name', 'body');
    own.takeAway('signature', 'body');
    // A doc comment stands in front of what it is about, a docstring in it.
    if (docstring === null) continue;
    if (own.holdsAll('doc', 'body')) own.takeAway('doc', 'body');
    else around(id).takeAway('doc', 'body', own);
  }
  return documents.values();
}

/**
 * What of a text belongs to whom: each piece goes to the innermost owner whose span it lies in, or to the file.
 *
 * @param owners Their spans nest; of two that are the same the later is the inner one.
 * @param file The owner of what lies in no span.
 * @param take Gets every piece with its owner, in the order of the text.
 */
function piecesOfOwners(
  text: string,
  owners: readonly Pick<Head, 'id' | 'span'>[],
  file: string,
  take: (owner: string, piece: string) => void,
): void {
  const offsetAt = offsets(text);
  const stretches = owners
    .flatMap(({ id, span }) =>
      span === null
        ? []
        : [
            {
              owner: id,
              start: offsetAt(span.start_line, span.start_column),
              end: offsetAt(span.end_line, span.end_column),
            },
          ],
    )
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
