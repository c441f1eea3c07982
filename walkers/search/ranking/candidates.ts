import type { Question } from '../question/question.js';
import { type FoundPlace, FoundPlaces } from './found-place.js';

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
/** The innermost frame of a trace; the next ones half as much, and so on. */
const TRACED = 1;

/** What beside its words speaks for a file or a symbol. */
export type Reason = 'named' | 'in the trace' | 'file named';

/** A file or a symbol that a question may be about. */
export interface Candidate extends FoundPlace {
  readonly id: string;
  readonly why: readonly Reason[];
  /** What it gets by itself: the best document that is no test and not aside has 1 for its words. */
  readonly own: number;
}

/** A document that the words found. */
interface FoundText {
  readonly id: string;
  readonly score: number;
}

/** What documents that words find get by themselves: all by the scale of the best of all. */
export class Candidates {
  readonly #places = new FoundPlaces();
  readonly #question: Question;
  /** What a frame of a trace counts, by the symbol that it is in. */
  readonly #frames: ReadonlyMap<string, number>;
  #known: ReadonlyMap<string, Candidate> = new Map();
  /** How many of them share a name. */
  readonly #sharing = new Map<string, number>();
  #best = 0;

  /** @param traced Symbols of a trace, the innermost first. */
  constructor(question: Question, traced: readonly string[]) {
    this.#question = question;
    this.#frames = new Map(traced.map((id, depth) => [id, TRACED / 2 ** depth]));
  }

  /** What the best had of the most that words could give, from 0 to 1; 1 where they found nothing. */
  get best(): number {
    return this.#best === 0 ? 1 : Math.min(1, this.#best);
  }

  /** The best of all documents, with what traces are in; once, before {@link Candidates.further}. */
  of(found: readonly FoundText[]): Candidate[] {
    const texts = new Map(found.map(({ id, score }) => [id, score]));
    for (const id of this.#frames.keys()) if (!texts.has(id)) texts.set(id, 0);
    const placed = [...texts].flatMap(([id, score]) => {
      const place = this.#places.of(id);
      return place ? [{ id, place, text: this.#text(place, score) }] : [];
    });
    for (const { place, text } of placed) {
      this.#best = Math.max(this.#best, text);
      this.#sharing.set(place.name, (this.#sharing.get(place.name) ?? 0) + 1);
    }
    const candidates = withInner(placed.map(({ id, place, text }) => this.#weighed(id, place, text)));
    this.#known = new Map(candidates.map((one) => [one.id, one]));
    return candidates;
  }

  /** Those of further documents that are not among the best of all. */
  further(found: readonly FoundText[]): Candidate[] {
    const candidates = found.flatMap(({ id, score }) => {
      const place = this.#known.has(id) ? null : this.#places.of(id);
      return place ? [this.#weighed(id, place, this.#text(place, score))] : [];
    });
    return withInner(candidates);
  }

  /** What has no words of the question itself; null for an id of something else. */
  bare(id: string): Candidate | null {
    const place = this.#places.of(id);
    return place && { ...place, id, own: 0, why: [] };
  }

  #text({ isTest, isAside }: FoundPlace, score: number): number {
    return (isTest && !this.#question.isAboutTests) || isAside ? score * ASIDE : score;
  }

  /** What the question names is added, and each find counts by what it is. */
  #weighed(id: string, place: FoundPlace, text: number): Candidate {
    const { name, form, isInner } = place;
    const why: Reason[] = [];
    let own = this.#best > 0 ? text / this.#best : text;
    if (name.length > 2 && this.#question.names.has(name)) {
      const counts = isCode(name, this.#question) ? NAMED_AS_CODE : NAMED;
      own += counts / Math.sqrt(this.#sharing.get(name) ?? 1);
      if (counts === NAMED_AS_CODE) why.push('named');
    }
    own *= FORMS[form] * (isInner ? INNER : 1);
    const frame = this.#frames.get(id);
    if (frame !== undefined) {
      own += frame;
      why.push('in the trace');
    }
    return { ...place, id, own, why };
  }
}

/** What is found in inner functions speaks for the one around them, too: it was found for its own lines alone. */
function withInner(candidates: readonly Candidate[]): Candidate[] {
  const callables = candidates.filter(({ form }) => form === 'callable');
  const placeOf = (path: string, name: string) => `${path}:${name}`;
  const outer = new Map(
    callables.map((one) => [
      placeOf(one.path, one.owner === '' ? one.name : `${one.owner}.${one.name}`),
      one,
    ]),
  );
  const more = new Map<Candidate, number>();
  for (const { path, owner, own } of callables) {
    const around = owner === '' ? undefined : outer.get(placeOf(path, owner));
    if (around) more.set(around, (more.get(around) ?? 0) + OF_INNER * own);
  }
  return candidates.map((one) => {
    const inner = more.get(one);
    return inner === undefined ? one : { ...one, own: one.own + Math.min(inner, MOST_OF_INNER) };
  });
}

/** Whether a name in a text is code and no word: it is marked, or has a hump or an underscore. */
function isCode(name: string, { marked }: Question): boolean {
  return marked.has(name) || /\p{Ll}\p{Lu}|_|^\p{Lu}.*\p{Lu}/u.test(name);
}
