import { directoryOf } from '../resolution/file-path.js';
import { append } from '../resolution/module-table.js';

/**
 * What the interface of a unit says, behind its digest, of where it is found: its package (`p:`), the names that it
 * defines there or gives members to (`n:`), and of each interface the methods that types which satisfy it have (`h:`,
 * parted by commas), and the types that it extends, wherever these are (`x:`). Words with a colon, so that they are told from
 * the names of bases.
 */
export interface Offered {
  /** The key of the package: `go:middleware:middleware`, `jvm:com.google.gson`. */
  readonly key: string;
  /** Of packages that are folders the key of the folder; else null. */
  readonly folder: string | null;
  /** Of files that are loaded by their names the key of the file's name; else null. */
  readonly file: string | null;
  /** The names of the files that it includes, which are found under {@link includerKey}. */
  readonly includes: readonly string[];
  readonly family: string;
  /** What the file says that it belongs to. */
  readonly written: string;
  readonly names: readonly string[];
  /** What the types are found by that it extends. */
  readonly extended: readonly string[];
  /** Of each interface the names of its methods, parted by commas: see `wantedNames`. */
  readonly methods: readonly string[];
}

/** Stands among the methods of an interface that only its own package can satisfy. */
export const INNER = '!';
/** What the name of an interface is behind that another one embeds which has no methods of its own. */
export const EMBEDS = '^';

/** Stands behind the full name of an open type where a file derives it from something. */
export const DERIVES = '<';

/** An interface by what it is found by. */
export interface Wanting {
  readonly path: string;
  /** The names of its methods as the words say them. */
  readonly text: string;
  readonly names: readonly string[];
  /** Whether only its own package can satisfy it. */
  readonly isInner: boolean;
}

/** The words of an interface; see {@link Offered}. */
export function offerWords(
  rules: { readonly package: string; readonly modules: string },
  written: string,
  names: Iterable<string>,
  methods: Iterable<string>,
  includes: Iterable<string> = [],
  extended: Iterable<string> = [],
): string[] {
  const isPlain = (name: string) => name !== '' && !/\s/.test(name);
  return [
    `p:${rules.package}:${rules.modules}:${written.replace(/\s/g, '')}`,
    ...[...new Set(names)]
      .filter(isPlain)
      .sort()
      .map((name) => `n:${name}`),
    ...[...new Set(methods)]
      .filter(isPlain)
      .sort()
      .map((name) => `h:${name}`),
    ...[...new Set(includes)].filter(isPlain).map((name) => `i:${name}`),
    ...[...new Set(extended)]
      .filter(isPlain)
      .sort()
      .map((name) => `x:${name}`),
  ];
}

/** Reads the words of an interface; null for a file that is no unit. */
export function offered(path: string, words: string): Offered | null {
  const all = words.split(' ').filter(Boolean);
  const [, way, family = '', written = ''] = /^p:(\w+):(\w+):(.*)$/.exec(all[0] ?? '') ?? [];
  if (way === undefined) return null;
  const folder = way === 'folder' ? folderKey(`${family}:${directoryOf(path)}`) : null;
  const file = way === 'program' || way === 'open' ? fileKey(family, path) : null;
  const after = (mark: string) =>
    all.flatMap((word) => (word.startsWith(mark) ? word.slice(mark.length) : []));
  const key = packageKey({ package: way, modules: family }, path, written);
  return {
    key,
    folder,
    file,
    family,
    written,
    includes: after('i:'),
    names: after('n:'),
    extended: after('x:'),
    methods: after('h:'),
  };
}

/** The key of the package that a file is in. */
export function packageKey(
  rules: { readonly package: string; readonly modules: string },
  path: string,
  written: string,
): string {
  if (rules.package === 'file' || rules.package === 'library') return `${rules.modules}:${path}`;
  if (rules.package === 'written') return `${rules.modules}:${written}`;
  if (rules.package === 'program' || rules.package === 'open') return `${rules.modules}:`;
  return `${rules.modules}:${directoryOf(path)}:${written}`;
}

/**
 * The key under which the packages of a folder are found. No package says a name that ends so: the folder `a:b` is none
 * of the packages in `a`. @param folder The family and the folder, as module systems name them.
 */
export function folderKey(folder: string): string {
  return `${folder}/`;
}

/** The key under which the files are found that extend types of whatever package. */
export function extendingKey(family: string): string {
  return `${family}:*`;
}

/** The key under which the files of programs are found that have the last part of a path as their name. */
export function fileKey(family: string, path: string): string {
  return `${family}:${path.slice(path.lastIndexOf('/') + 1)}/`;
}

/** The key under which the files of programs are found that include one of such a name. */
export function includerKey(family: string, path: string): string {
  return `${fileKey(family, path)}<`;
}

/** Where units are found by their packages and names. */
export class UnitPlaces {
  /** Files by the key of their package, and keys of packages by that of their folder. */
  readonly packages = new Map<string, string[]>();
  readonly #words: ReadonlyMap<string, string>;
  readonly #named = new Map<string, ReadonlyMap<string, readonly string[]>>();
  #interfaces: ReadonlyMap<string, readonly Wanting[]> | null = null;

  /** @param words Of each file the words of its interface, in the order of paths. */
  constructor(words: ReadonlyMap<string, string>) {
    this.#words = words;
    for (const [path, text] of words) {
      const one = offered(path, text);
      if (!one) continue;
      append(this.packages, one.key, path);
      if (one.extended.length > 0) append(this.packages, extendingKey(one.family), path);
      if (one.file !== null) append(this.packages, one.file, path);
      for (const name of one.includes) append(this.packages, includerKey(one.family, name), path);
      if (one.folder === null || this.packages.get(one.key)?.length !== 1) continue;
      append(this.packages, one.folder, one.key);
    }
  }

  /** The files of a package that define a name, or give members to it. */
  named(key: string, name: string): readonly string[] {
    let names = this.#named.get(key);
    if (!names) {
      const made = new Map<string, string[]>();
      for (const path of this.packages.get(key) ?? []) {
        const one = offered(path, this.#words.get(path) ?? '');
        const isExtending = one !== null && key === extendingKey(one.family);
        for (const each of (isExtending ? one.extended : one?.names) ?? []) append(made, each, path);
      }
      names = made;
      this.#named.set(key, names);
    }
    return names.get(name) ?? [];
  }

  /** The interfaces that are found by a method. @param method The family, `#`, the method's name. */
  withInterface(method: string): readonly Wanting[] {
    this.#interfaces ??= this.#byRarest();
    return this.#interfaces.get(method) ?? [];
  }

  /** Interfaces by the one of their methods that the fewest of them have: types that lack it never look at them. */
  #byRarest(): ReadonlyMap<string, readonly Wanting[]> {
    const all: (Wanting & { readonly family: string })[] = [];
    const counts = new Map<string, number>();
    for (const [path, words] of this.#words) {
      if (!words.includes(' h:')) continue;
      const { family = '', methods = [] } = offered(path, words) ?? {};
      for (const text of methods) {
        const parts = text.split(',');
        const names = parts.filter((name) => name !== INNER);
        all.push({ path, text, names, isInner: names.length < parts.length, family });
        for (const name of names) counts.set(`${family}#${name}`, (counts.get(`${family}#${name}`) ?? 0) + 1);
      }
    }
    const found = new Map<string, Wanting[]>();
    for (const { family, ...one } of all) {
      let rarest = '';
      for (const name of one.names) {
        const key = `${family}#${name}`;
        if (rarest === '' || (counts.get(key) ?? 0) < (counts.get(rarest) ?? 0)) rarest = key;
      }
      append(found, rarest, one);
    }
    return found;
  }

  /** The keys of methods by which other interfaces are found in other places. */
  *#foundOtherwise(other: UnitPlaces): Generator<`has:${string}`> {
    this.#interfaces ??= this.#byRarest();
    other.#interfaces ??= other.#byRarest();
    const [before, after] = [this.#interfaces, other.#interfaces];
    const textOf = (all: readonly Wanting[] = []) =>
      all.map(({ path, text }) => `${path} ${text}`).join('\n');
    for (const key of new Set([...before.keys(), ...after.keys()]))
      if (textOf(before.get(key)) !== textOf(after.get(key))) yield `has:${key}`;
  }

  /** The keys of what is found otherwise in other places. */
  *changedIn(other: UnitPlaces): Generator<`package:${string}` | `name:${string}` | `has:${string}`> {
    for (const key of new Set([...this.packages.keys(), ...other.packages.keys()]))
      if (this.packages.get(key)?.join('\n') !== other.packages.get(key)?.join('\n')) yield `package:${key}`;
    yield* this.#foundOtherwise(other);
    for (const path of new Set([...this.#words.keys(), ...other.#words.keys()])) {
      const [before, after] = [this.#words.get(path) ?? '', other.#words.get(path) ?? ''];
      if (before === after) continue;
      const [old, now] = [keysOf(path, before), keysOf(path, after)];
      for (const key of old) if (!now.has(key)) yield key;
      for (const key of now) if (!old.has(key)) yield key;
    }
  }
}

function keysOf(path: string, words: string): Set<`name:${string}`> {
  const one = offered(path, words);
  return new Set([
    ...(one?.names.map((name) => `name:${one.key}#${name}` as const) ?? []),
    ...(one?.extended.map((name) => `name:${extendingKey(one.family)}#${name}` as const) ?? []),
  ]);
}
