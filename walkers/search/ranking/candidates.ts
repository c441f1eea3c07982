import { Words } from '../../../search/index.js';
import type { Question } from '../question/question.js';
import type { FoundPlace, FoundPlaces } from './found-place.js';

/** What is found of a class, which speaks of all its parts; of a variable or type; of a file what no symbol holds. */
const FORMS = { callable: 1, class: 0.7, other: 0.4, file: 0.6 } as const;
/** What is found in a function's function: who asks mostly means the outer one. */
const INNER = 0.5;
/** What of an inner function's score speaks for the outer one, too, and how much all of them at most. */
const OF_INNER = 0.3;
const MOST_OF_INNER = 1;
/** Tests, unless they are asked about; and what stands beside the code. */
const ASIDE = 0.4;
/** A name that the question has as it is written, and one that is no word of a language. Shared by all of that name. */
const NAMED = 0.1;
const NAMED_AS_CODE = 0.2;
/** What a name counts of which the question says every word, as much as these tell of the question. */
const SAID_NAME = 0.8;
/** What a phrase of the question counts that stands there word for word; of a part of it the square. */
const PHRASE = 1;
/** The innermost frame of a trace; the next ones half as much, and so on. */
const TRACED = 1;

/** What beside its words speaks for a file or a symbol. */
export type Reason = 'named' | 'says it' | 'in the trace' | 'file named' | 'called by hits';

/** A file or a symbol that a question may be about. */
export interface Candidate {
  readonly id: string;
  readonly place: FoundPlace;
  /** That of its place. */
  readonly path: string;
  readonly why: readonly Reason[];
  /** What it gets by itself: the best document that is no test and not aside has 1 for its words. */
  readonly own: number;
}

/** A document that the words found. */
interface FoundText {
  readonly id: string;
  readonly score: number;
}

interface PlacedText {
  readonly id: string;
  readonly place: FoundPlace;
  /** What its words get: less for tests, unless they are asked about, and for what stands aside. */
  readonly text: number;
}

/** What documents that words find get by themselves: all by the scale of the best of all. */
export class Candidates {
  /** What a frame of a trace counts, by the symbol that it is in. */
  readonly #frames: ReadonlyMap<string, number>;
  readonly #words = new Words();
  #known = new Set<string>();
  /** How many of them share a name that the question has. */
  readonly #sharing = new Map<string, number>();
  #best = 0;

  /**
   * @param traced Symbols of a trace, the innermost first.
   * @param phrases How much of a phrase symbols and files have word for word, by id.
   * @param shares What words tell of the question: all of its own together 1.
   */
  constructor(
    private readonly places: FoundPlaces,
    private readonly question: Question,
    traced: readonly string[],
    private readonly phrases: ReadonlyMap<string, number>,
    private readonly shares: ReadonlyMap<string, number>,
  ) {
    this.#frames = new Map(traced.map((id, depth) => [id, TRACED / 2 ** depth]));
  }

  /** What the best had of the most that words could give, from 0 to 1; 1 where they found nothing. */
  get best(): number {
    return this.#best === 0 ? 1 : Math.min(1, this.#best);
  }

  /** The best of all documents, with what traces are in; once, before {@link Candidates.further}. */
  of(found: readonly FoundText[]): Candidate[] {
    this.#known = new Set(found.map(({ id }) => id));
    const traced = [...new Set([...this.#frames.keys(), ...this.phrases.keys()])].filter(
      (id) => !this.#known.has(id),
    );
    const placed = this.#placed([...found, ...traced.map((id) => ({ id, score: 0 }))]);
    for (const { place, text } of placed) {
      this.#best = Math.max(this.#best, text);
      if (this.question.names.has(place.name))
        this.#sharing.set(place.name, (this.#sharing.get(place.name) ?? 0) + 1);
    }
    for (const id of traced) this.#known.add(id);
    return this.#weighed(placed);
  }

  /** Those of further documents that are not among the best of all. */
  further(found: readonly FoundText[]): Candidate[] {
    return this.#weighed(this.#placed(found.filter(({ id }) => !this.#known.has(id))));
  }

  /** What has no words of the question itself; null for an id of something else. */
  bare(id: string): Candidate | null {
    const place = this.places.of(id);
    return place && { id, place, path: place.path, own: 0, why: [] };
  }

  /** What calls lead to among some, without words of its own: once. */
  reached(ids: Iterable<string>): Candidate[] {
    const reached = [...ids].flatMap((id) => (this.#known.has(id) ? [] : (this.bare(id) ?? [])));
    for (const { id } of reached) this.#known.add(id);
    return reached.map((one) => ({ ...one, why: ['called by hits'] }));
  }

  #placed(found: readonly FoundText[]): PlacedText[] {
    const placed: PlacedText[] = [];
    for (const { id, score } of found) {
      const place = this.places.of(id);
      if (!place) continue;
      placed.push({ id, place, text: this.#isLess(place) ? score * ASIDE : score });
    }
    return placed;
  }

  /** How much of a name the question says, times what that tells of the question. */
  #nameSaid(name: string): number {
    const whole = name.toLowerCase();
    const parts = new Set(this.#words.of(name));
    if (parts.size > 1) parts.delete(whole);
    const said = [...parts].flatMap((part) => this.shares.get(part) ?? []);
    return said.length === 0 ? 0 : (said.length / parts.size) * said.reduce((sum, share) => sum + share, 0);
  }

  #isLess({ isTest, isAside }: FoundPlace): boolean {
    return (isTest && !this.question.isAboutTests) || isAside;
  }

  #weighed(placed: readonly PlacedText[]): Candidate[] {
    return withInner(placed.map((one) => this.#candidate(one)));
  }

  /** What the question names is added, and each find counts by what it is. */
  #candidate({ id, place, text }: PlacedText): Candidate {
    const { name, form, isInner } = place;
    let why: readonly Reason[] = NO_REASON;
    let own = this.#best > 0 ? text / this.#best : text;
    if (name.length > 2 && this.question.names.has(name)) {
      const counts = isCode(name, this.question) ? NAMED_AS_CODE : NAMED;
      own += counts / Math.sqrt(this.#sharing.get(name) ?? 1);
      if (counts === NAMED_AS_CODE) why = ['named'];
    }
    own += SAID_NAME * this.#nameSaid(name) * (this.#isLess(place) ? ASIDE : 1);
    own *= FORMS[form] * (isInner ? INNER : 1);
    const said = this.phrases.get(id);
    if (said !== undefined) {
      own += PHRASE * said ** 2 * (this.#isLess(place) ? ASIDE : 1);
      why = [...why, 'says it'];
    }
    const frame = this.#frames.get(id);
    if (frame !== undefined) {
      own += frame;
      why = [...why, 'in the trace'];
    }
    return { id, place, path: place.path, own, why };
  }
}

const NO_REASON: readonly Reason[] = [];

/** What is found in inner functions speaks for the one around them, too: it was found for its own lines alone. */
function withInner(candidates: Candidate[]): Candidate[] {
  const more = new Map<string, number>();
  for (const { place, own } of candidates)
    if (place.form === 'callable' && place.around !== null)
      more.set(place.around, (more.get(place.around) ?? 0) + OF_INNER * own);
  if (more.size === 0) return candidates;
  const grown = [...candidates];
  // Of several of one name the last is taken.
  for (let at = candidates.length - 1; at >= 0; at--) {
    const one = candidates[at];
    const inner = one?.place.form === 'callable' ? more.get(one.place.place) : undefined;
    if (!one || inner === undefined) continue;
    grown[at] = { ...one, own: one.own + Math.min(inner, MOST_OF_INNER) };
    more.delete(one.place.place);
  }
  return grown;
}

/** Whether a name in a text is code and no word: it is marked, or has a hump or an underscore. */
function isCode(name: string, { marked }: Question): boolean {
  return marked.has(name) || /\p{Ll}\p{Lu}|_|^\p{Lu}.*\p{Lu}/u.test(name);
}
