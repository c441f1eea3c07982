import type { Slot } from '../../../runtime/index.js';
import { parseId } from '../../../schema/index.js';
import { isProgramming, isTestPath, languageName, languageOf } from '../../../source/index.js';

/** Folders of what shows, measures or describes the code, and of what tools write. */
const ASIDE =
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

/** What is told by a path alone. */
type PathFacts = Pick<FoundPlace, 'isTest' | 'isAside'>;

/** Documents of which it is kept what they are: some 500 bytes each. */
const MOST_KEPT = 20_000;

/** What documents are: their ids tell it, and whoever asks again is not told anew. */
export class FoundPlaces {
  readonly #places = new Map<string, FoundPlace | null>();
  readonly #paths = new Map<string, PathFacts>();

  /** What the document with an id is; null for what is no file and no symbol. */
  of(id: string): FoundPlace | null {
    const known = this.#places.get(id);
    if (known !== undefined) return known;
    if (this.#places.size >= MOST_KEPT) {
      this.#places.clear();
      this.#paths.clear();
    }
    const place = this.#read(id);
    this.#places.set(id, place);
    return place;
  }

  #read(id: string): FoundPlace | null {
    return placeOf(id, (path) => {
      const known = this.#paths.get(path);
      if (known) return known;
      const isAside = ASIDE.test(path) || !(languageOf(path)?.grammar || isProgramming(languageName(path)));
      const facts = { isTest: isTestPath(path), isAside };
      this.#paths.set(path, facts);
      return facts;
    });
  }
}

/** Where a graph keeps them. */
export const FOUND_PLACES: Slot<FoundPlaces> = {
  name: 'what documents of the text index are',
  make: () => new FoundPlaces(),
};

function placeOf(id: string, factsOf: (path: string) => PathFacts): FoundPlace | null {
  const parsed = parseId(id);
  if (!parsed || parsed.path === null) return null;
  const { form, path } = parsed;
  const full = parsed.name ?? '';
  const dot = full.lastIndexOf('.');
  const name = full.slice(dot + 1);
  const around = dot > 0 ? `${path}:${full.slice(0, dot)}` : null;
  const facts = factsOf(path);
  const isTest = form === 'test' || facts.isTest;
  const at = {
    path,
    name,
    place: `${path}:${full}`,
    around,
    isTest,
    isAside: form === 'config' || facts.isAside,
  };
  // A function that stands in a class is a method: one with an owner stands in a function.
  if (form === 'fn') return { ...at, form: 'callable', isInner: full !== name };
  if (form === 'm' || form === 'route' || form === 'test') return { ...at, form: 'callable', isInner: false };
  if (form === 'cls') return { ...at, form: 'class', isInner: false };
  if (form === 'file') return { ...at, name: '', form: 'file', isInner: false };
  return form === 'var' || form === 'type' || form === 'config'
    ? { ...at, form: 'other', isInner: false }
    : null;
}
