import { GONE, widthOf } from './counts.js';
import type { TextIndexType } from './definition.js';
import { type DocumentWords, type GroupWords, lengthsOf } from './documents.js';
import type { IndexHeader } from './header.js';
import { lengthCode } from './lengths.js';
import { type OpenPostings, openPostings } from './postings.js';

/** The documents of a group, as they were or as they will be. */
export interface GroupSide extends GroupWords {
  readonly ids: readonly string[];
}

/** As they were. */
export interface KnownSide extends GroupSide {
  readonly numbers: readonly number[];
}

/** What all changes come to. */
export interface ChangedParts {
  /** Postings that are new of words; of documents that have a word no more with counts of `GONE`. */
  readonly terms: ReadonlyMap<string, OpenPostings>;
  /** Codes of lengths, by number; 0: it is gone. */
  readonly lengths: ReadonlyMap<number, number>;
  /** Ids that came, by number; null: it is gone. */
  readonly ids: ReadonlyMap<number, string | null>;
  /** The state of the index with them. */
  readonly next: Omit<IndexHeader, 'generation'>;
}

interface Change {
  readonly number: number;
  readonly before: Side | null;
  readonly after: Side | null;
}

/** A document in its group. */
interface Side {
  readonly group: WordsOfGroup;
  readonly document: DocumentWords;
}

/** Gathers how the documents of groups change, and tells what of an index changes with it. */
export class DocumentChanges {
  readonly #changes: Change[] = [];
  readonly #ids = new Map<number, string | null>();
  #next: number;

  constructor(
    private readonly type: TextIndexType,
    private readonly header: IndexHeader,
  ) {
    this.#next = header.next;
  }

  get isEmpty(): boolean {
    return this.#changes.length === 0;
  }

  /** Takes in a group. The numbers of its documents: those that it had keep theirs. */
  take(before: KnownSide | null, after: GroupSide | null): number[] {
    const sideOf = (group: GroupSide) => {
      const words = new WordsOfGroup(group.words);
      return (document: DocumentWords): Side => ({ group: words, document });
    };
    const known = new Map<string, { readonly number: number; readonly side: Side }>();
    if (before) {
      const old = sideOf(before);
      for (const [at, document] of before.documents.entries())
        known.set(before.ids[at] ?? '', { number: before.numbers[at] ?? 0, side: old(document) });
    }
    const numbers: number[] = [];
    if (after) {
      const young = sideOf(after);
      for (const [at, document] of after.documents.entries()) {
        const id = after.ids[at] ?? '';
        const old = known.get(id);
        known.delete(id);
        const number = old?.number ?? this.#next++;
        numbers.push(number);
        if (!old) this.#ids.set(number, id);
        this.#changes.push({ number, before: old?.side ?? null, after: young(document) });
      }
    }
    for (const { number, side } of known.values()) {
      this.#ids.set(number, null);
      this.#changes.push({ number, before: side, after: null });
    }
    return numbers;
  }

  result(): ChangedParts {
    const { epoch, size } = this.header;
    const totals = this.type.fields.map((_, field) => this.header.lengths[field] ?? 0);
    const terms = new Map<string, OpenPostings>();
    const lengths = new Map<number, number>();
    let more = 0;
    // Postings are ordered by these numbers.
    for (const { number, before, after } of this.#changes.sort((a, b) => a.number - b.number)) {
      const [was, is] = [before, after].map((side) => (side ? lengthsOf(this.type, side.document) : []));
      for (const field of totals.keys())
        totals[field] = (totals[field] ?? 0) + (is?.[field] ?? 0) - (was?.[field] ?? 0);
      const code = after ? lengthCode(this.type, is ?? []) : 0;
      if (!before || code !== lengthCode(this.type, was ?? [])) lengths.set(number, code);
      more += (after ? 1 : 0) - (before ? 1 : 0);
      if (before) noteChanged(number, before, after, terms);
      else if (after) noteNew(number, after, terms);
    }
    const next = { epoch, next: this.#next, size: size + more, lengths: totals };
    return { terms, lengths, ids: this.#ids, next };
  }
}

/** The words of a group, and what is noted of them. */
class WordsOfGroup {
  readonly #postings: OpenPostings[] = [];

  constructor(private readonly words: readonly string[]) {}

  word(place: number): string {
    return this.words[place] ?? '';
  }

  postings(place: number, terms: Map<string, OpenPostings>): OpenPostings {
    let known = this.#postings[place];
    if (known) return known;
    const word = this.word(place);
    known = terms.get(word) ?? openPostings();
    if (known.docs.length === 0) terms.set(word, known);
    this.#postings[place] = known;
    return known;
  }
}

function noteNew(number: number, { group, document }: Side, terms: Map<string, OpenPostings>): void {
  const { words, counts } = document;
  let next = 0;
  for (const place of words) {
    const { docs, counts: to } = group.postings(place, terms);
    docs.push(number);
    for (const end = next + widthOf(counts[next] ?? 0); next < end; next++) to.push(counts[next] ?? 0);
  }
}

function noteChanged(
  number: number,
  before: Side,
  after: Side | null,
  terms: Map<string, OpenPostings>,
): void {
  const old = countsByWord(before);
  if (after)
    for (const [word, { place, counts }] of countsByWord(after)) {
      const had = old.get(word)?.counts;
      old.delete(word);
      if (had && isEqual(had, counts)) continue;
      const { docs, counts: to } = after.group.postings(place, terms);
      docs.push(number);
      to.push(...counts);
    }
  for (const { place } of old.values()) {
    const { docs, counts } = before.group.postings(place, terms);
    docs.push(number);
    counts.push(GONE);
  }
}

function countsByWord({ group, document: { words, counts } }: Side) {
  let next = 0;
  return new Map(
    words.map((place) => {
      const first = next;
      next += widthOf(counts[first] ?? 0);
      return [group.word(place), { place, counts: counts.slice(first, next) }] as const;
    }),
  );
}

function isEqual(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, at) => value === b[at]);
}
