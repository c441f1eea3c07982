import { parseId } from '../../../schema/index.js';
import { Words } from '../../../search/index.js';
import { isProgramming, isTestPath, languageName, languageOf } from '../../../source/index.js';

/** What a class counts, which speaks of all its parts; a variable or type; a file, by what no symbol holds. */
const FORMS = { callable: 1, class: 0.7, other: 0.4, file: 0.6 } as const;
/** What a function inside a function counts: who asks mostly means the outer one. */
const INNER = 0.5;
/** What of an inner function's score counts for the outer one, too, and how much all of them at most. */
const OF_INNER = 0.3;
const MOST_OF_INNER = 1;
/** What tests count, unless they are asked about; and what is aside of the code. */
const ASIDE = 0.4;
/** What a phrase of the question counts that stands there word for word; of a part of it the square. */
const PHRASE = 1;
/** The innermost frame of a trace; the next ones half as much, and so on. */
const TRACED = 1;

/** What a name counts of which the question says every word, as much as these tell of the question. */
const SAID_NAME = 0.8;

/** What besides its words speaks for a file or a symbol. */
export type Reason = 'says it' | 'in the trace' | 'file named' | 'called by hits';

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

/** What besides its words speaks for a document. */
export interface Evidence {
  /** Symbols of a trace, the innermost first. */
  readonly traced: readonly string[];
  /** How much of a phrase symbols and files have word for word, by id. */
  readonly phrases: ReadonlyMap<string, number>;
  /** What words tell of the question: all of its own together 1. */
  readonly shares: ReadonlyMap<string, number>;
  /** Whether the question asks for tests. */
  readonly isAboutTests: boolean;
}

/** Weighs the documents that words find, all by the scale of the best of all. */
export class Candidates {
  readonly #known = new Set<string>();
  readonly #words = new Words();
  #best = 0;

  constructor(
    private readonly places: FoundPlaces,
    private readonly evidence: Evidence,
  ) {}

  /** What the best had of the most that words could give, from 0 to 1; 1 where they found nothing. */
  get best(): number {
    return this.#best === 0 ? 1 : Math.min(1, this.#best);
  }

  /** The best of all documents, with those in traces and with phrases; once, before {@link Candidates.further}. */
  of(found: readonly FoundText[]): Candidate[] {
    const texts = new Map(found.map(({ id, score }) => [id, score]));
    for (const id of [...this.evidence.traced, ...this.evidence.phrases.keys()])
      if (!texts.has(id)) texts.set(id, 0);
    for (const [id, score] of texts) {
      const place = this.places.of(id);
      if (place) this.#best = Math.max(this.#best, score * this.#share(place));
    }
    return this.#weighed([...texts].map(([id, score]) => ({ id, score })));
  }

  /** Those of further documents that are not among the best of all. */
  further(found: readonly FoundText[]): Candidate[] {
    return this.#weighed(found);
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

  #share({ isTest, isAside }: FoundPlace): number {
    return (isTest && !this.evidence.isAboutTests) || isAside ? ASIDE : 1;
  }

  /** How much of a name the question says, times what that tells of the question. */
  #nameSaid(name: string): number {
    const whole = name.toLowerCase();
    const parts = new Set(this.#words.of(name));
    if (parts.size > 1) parts.delete(whole);
    const said = [...parts].flatMap((part) => this.evidence.shares.get(part) ?? []);
    return said.length === 0 ? 0 : (said.length / parts.size) * said.reduce((sum, share) => sum + share, 0);
  }

  #weighed(found: readonly FoundText[]): Candidate[] {
    const candidates: Candidate[] = [];
    for (const { id, score } of found) {
      const place = this.places.of(id);
      if (!place || this.#known.has(id)) continue;
      this.#known.add(id);
      candidates.push(this.#candidate(id, place, score));
    }
    return withInner(candidates);
  }

  #candidate(id: string, place: FoundPlace, score: number): Candidate {
    const share = this.#share(place);
    const why: Reason[] = [];
    const { name, form, isInner } = place;
    let own = (score * share) / (this.#best || 1);
    own += SAID_NAME * this.#nameSaid(name) * share;
    own *= FORMS[form] * (isInner ? INNER : 1);
    const said = this.evidence.phrases.get(id);
    if (said !== undefined) {
      own += PHRASE * said ** 2 * share;
      why.push('says it');
    }
    const depth = this.evidence.traced.indexOf(id);
    if (depth >= 0) {
      own += TRACED / 2 ** depth;
      why.push('in the trace');
    }
    return { id, place, path: place.path, own, why };
  }
}

/** What is found in inner functions counts for the one around them, too: it was found for its own lines alone. */
function withInner(candidates: readonly Candidate[]): Candidate[] {
  const more = new Map<string, number>();
  for (const { place, own } of candidates)
    if (place.form === 'callable' && place.around !== null)
      more.set(place.around, (more.get(place.around) ?? 0) + OF_INNER * own);
  // Of several of one name the last one gets it.
  return candidates
    .toReversed()
    .map((one) => {
      const inner = one.place.form === 'callable' ? more.get(one.place.place) : undefined;
      if (inner === undefined) return one;
      more.delete(one.place.place);
      return { ...one, own: one.own + Math.min(inner, MOST_OF_INNER) };
    })
    .reverse();
}

/** Folders of what shows, measures or describes the code, and of what tools write. */
const ASIDE_FOLDER =
  /(?:^|\/)(?:docs?|examples?|samples?|demos?|playground|benchmarks?|bench|fixtures?|testdata|e2e|(?:\w+_)?dist|build|out|generated|vendor(?:ed)?|third_party)\//iu;

/** What a document of the text index is, as far as its id tells. */
export interface FoundPlace {
  /** Root-relative. */
  readonly path: string;
  /** Of a symbol its last name; empty for a file. */
  readonly name: string;
  /** A symbol's path and names, `src/a.ts:Class.method`, and those of what encloses it; null where nothing does. */
  readonly place: string;
  readonly around: string | null;
  readonly form: 'callable' | 'class' | 'other' | 'file';
  /** Whether a function encloses it. */
  readonly isInner: boolean;
  readonly isTest: boolean;
  /** Whether it is no part of the code itself: documentation, examples, configuration, what tools write. */
  readonly isAside: boolean;
}

/** What documents are, as their ids say. */
export class FoundPlaces {
  readonly #places = new Map<string, FoundPlace | null>();
  readonly #asides = new Map<string, boolean>();

  /** What the document with an id is; null for what is no file and no symbol. */
  of(id: string): FoundPlace | null {
    const known = this.#places.get(id);
    if (known !== undefined) return known;
    const place = this.#placeOf(id);
    this.#places.set(id, place);
    return place;
  }

  #isAside(path: string): boolean {
    const known = this.#asides.get(path);
    if (known !== undefined) return known;
    const isAside =
      ASIDE_FOLDER.test(path) || !(languageOf(path)?.grammar || isProgramming(languageName(path)));
    this.#asides.set(path, isAside);
    return isAside;
  }

  #placeOf(id: string): FoundPlace | null {
    const parsed = parseId(id);
    if (!parsed || parsed.path === null) return null;
    const { form, path } = parsed;
    const full = parsed.name ?? '';
    const kind = FORM_OF[form];
    if (!kind) return null;
    const dot = full.lastIndexOf('.');
    return {
      path,
      name: kind === 'file' ? '' : full.slice(dot + 1),
      place: `${path}:${full}`,
      around: dot > 0 ? `${path}:${full.slice(0, dot)}` : null,
      form: kind,
      // A function that stands in a class is a method: one with an owner stands in a function.
      isInner: form === 'fn' && dot >= 0,
      isTest: form === 'test' || isTestPath(path),
      isAside: form === 'config' || this.#isAside(path),
    };
  }
}

const FORM_OF: Readonly<Partial<Record<string, FoundPlace['form']>>> = {
  fn: 'callable',
  m: 'callable',
  route: 'callable',
  test: 'callable',
  cls: 'class',
  file: 'file',
  var: 'other',
  type: 'other',
  config: 'other',
};
