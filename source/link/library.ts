import { append } from '../resolution/module-table.js';
import { SELF, type Signature, type Type, UNKNOWN } from './types.js';

/**
 * What a language says of its libraries, one thing a line:
 *
 *     package net/http
 *     func NewRequest(string, string, ?) (*Request, error)
 *     var DefaultClient *Client
 *     type Request: Context() context.Context; URL *net/url.URL
 *     type List<E> extends Collection<E>: get(int) E; <T> toArray([]T) []T
 *     interface Function<T, R>: apply(T) R; default <V> andThen(Function<R, V>) Function<T, V>
 *
 * Types: `*T` pointer, `[]T` list, `{K: V}` map, `<-T` channel, `(A, B)` several, `fn(A) R` function, `?` not known,
 * `T & U` both, `...T` any number, last. A bare name is a type parameter, a type of the package, one that only one package has, else
 * a built-in type. `package` alone begins the built-in functions. A member whose name is no word stands in `` ` ``. What the name of
 * a type is as a value, where that has members of its own, is the type of that name with a `$` behind it.
 */
export interface Library {
  /** A type by its package and dotted name. */
  type(inPackage: string, name: string): LibraryType | undefined;
  /** A type by its full name, `java.util.Map.Entry`. */
  named(fullName: string): LibraryType | undefined;
  /** Whether anything is said of a package. */
  has(inPackage: string): boolean;
  /** The only type that has a name as its last part, in whatever package. */
  only(name: string): LibraryType | undefined;
  /** The functions and variables of a package under a name; the built-in ones are those of ''. */
  values(inPackage: string, name: string): readonly LibraryMember[];
}

/** One type of a library. */
export interface LibraryType {
  readonly package: string;
  readonly name: string;
  readonly isInterface: boolean;
  /** The ids of its type parameters. */
  readonly parameters: readonly string[];
  readonly bases: readonly Type[];
  readonly members: ReadonlyMap<string, readonly LibraryMember[]>;
}

/** A function, or a field or variable. */
export interface LibraryMember {
  readonly name: string;
  /** Null for a field or variable. */
  readonly signature: Signature | null;
  /** Of a field or variable its type. */
  readonly type: Type;
  /** Whether an interface itself says what it does: `default`, `static`. */
  readonly hasBody: boolean;
}

const libraries = new Map<string, Library>();

/** The library that a text declares, made once. */
export function libraryOf(text: string): Library {
  const known = libraries.get(text);
  if (known) return known;
  const made = new TextLibrary(text);
  libraries.set(text, made);
  return made;
}

const TOKEN = /`[^`\s]+`|operator[^\w\s(;]+|\.\.\.|<-|[A-Za-z_$][\w$`./\\-]*(?<![.])(?:[?!](?=\())?|\S/g;
const HEAD = /^(type|interface) ([\w$`.]+)(?:<([^>]*)>)?(?: extends ([^:]*))?(?::(.*))?$/;

interface Declared {
  readonly package: string;
  readonly name: string;
  readonly line: string;
  made: LibraryType | null;
}

class TextLibrary implements Library {
  readonly #types = new Map<string, Declared>();
  /** By the last part of the name. */
  readonly #short = new Map<string, Declared[]>();
  readonly #packages = new Set<string>();
  readonly #values = new Map<string, { readonly package: string; readonly line: string }[]>();

  constructor(text: string) {
    let inPackage = '';
    for (const raw of text.split('\n')) {
      const line = raw.trim();
      const [word = '', second = ''] = line.split(/[ (:<]/, 2);
      if (word === 'package') {
        inPackage = second;
        this.#packages.add(second);
      } else if (word === 'func' || word === 'var') {
        const name = /^(?:func|var) (?:<[^>]*> )?([\w$]+)/.exec(line)?.[1] ?? '';
        append(this.#values, `${inPackage}\0${name}`, { package: inPackage, line });
      } else if (HEAD.test(line)) {
        const name = HEAD.exec(line)?.[2] ?? '';
        const declared: Declared = { package: inPackage, name, line, made: null };
        this.#types.set(fullName(inPackage, name), declared);
        append(this.#short, name.slice(name.lastIndexOf('.') + 1), declared);
      }
    }
  }

  type(inPackage: string, name: string): LibraryType | undefined {
    return this.named(fullName(inPackage, name));
  }

  has(inPackage: string): boolean {
    return this.#packages.has(inPackage);
  }

  named(full: string): LibraryType | undefined {
    const declared = this.#types.get(full);
    if (declared) declared.made ??= this.#read(declared);
    return declared?.made ?? undefined;
  }

  only(name: string): LibraryType | undefined {
    const [first, ...others] = this.#short.get(name) ?? [];
    return first && others.length === 0 ? this.type(first.package, first.name) : undefined;
  }

  values(inPackage: string, name: string): readonly LibraryMember[] {
    const lines = this.#values.get(`${inPackage}\0${name}`) ?? [];
    return lines.map(({ line }) => {
      const reader = new Reader(line.replace(/^(?:func|var) /, ''), inPackage, `${inPackage}.`, [], this);
      return reader.member();
    });
  }

  /** What a bare or full name means. */
  lookUp(name: string, inPackage: string): { package: string; name: string } | null {
    const own = this.#types.get(fullName(inPackage, name)) ?? this.#types.get(name);
    if (own) return own;
    const dot = name.lastIndexOf('.');
    const short = this.#short.get(name.slice(dot + 1)) ?? [];
    if (dot < 0) return short.length === 1 ? (short[0] ?? null) : null;
    return { package: name.slice(0, dot), name: name.slice(dot + 1) };
  }

  #read({ package: inPackage, name, line }: Declared): LibraryType {
    const [, word, , parameters = '', bases = '', body = ''] = HEAD.exec(line) ?? [];
    const own = parameters
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean);
    const id = `${fullName(inPackage, name)}.`;
    const reader = (text: string) => new Reader(text, inPackage, id, own, this);
    const members = new Map<string, LibraryMember[]>();
    for (const text of body.split(';'))
      if (text.trim() !== '') {
        const member = reader(text).member();
        append(members, member.name, member);
      }
    return {
      package: inPackage,
      name,
      isInterface: word === 'interface',
      parameters: own.map((one) => id + one),
      bases: bases.trim() === '' ? [] : reader(bases).list(''),
      members,
    };
  }
}

function fullName(inPackage: string, name: string): string {
  return inPackage === '' ? name : `${inPackage}.${name}`;
}

/** Reads members and types of a library's text. */
class Reader {
  readonly #tokens: readonly string[];
  #at = 0;
  readonly #own: Set<string>;

  /** @param id What the ids of type parameters begin with. */
  constructor(
    text: string,
    private readonly inPackage: string,
    private readonly id: string,
    parameters: readonly string[],
    private readonly library: TextLibrary,
  ) {
    this.#tokens = text.match(TOKEN) ?? [];
    this.#own = new Set(parameters);
  }

  member(): LibraryMember {
    const typeParameters: string[] = [];
    // Both may be names, too.
    const isWord = this.#tokens[this.#at + 1] === '<' || this.#tokens[this.#at + 2] === '(';
    const hasBody = isWord && (this.#take('default') || this.#take('static'));
    if (this.#take('<')) {
      while (!this.#take('>') && this.#at < this.#tokens.length) {
        const name = this.#next();
        if (name === ',') continue;
        typeParameters.push(this.id + name);
        this.#own.add(name);
      }
    }
    const name = this.#next().replace(/^`(.*)`$/, '$1');
    if (!this.#take('(')) return { name, signature: null, type: this.type(), hasBody };
    const { parameters, variadic } = this.#parameters();
    const result = this.#at < this.#tokens.length ? this.type() : VOID;
    const required = variadic ? parameters.length - 1 : parameters.length;
    return {
      name,
      signature: { typeParameters, parameters, required, variadic, result },
      type: UNKNOWN,
      hasBody,
    };
  }

  type(): Type {
    const first = this.#single();
    if (!this.#take('&')) return first;
    return { kind: 'union', parts: [first, this.type()] };
  }

  #single(): Type {
    const token = this.#next();
    switch (token) {
      case '?':
      case '':
        return UNKNOWN;
      case '*':
        return { kind: 'pointer', of: this.type() };
      case '<-':
        return { kind: 'channel', of: this.type() };
      case '[':
        this.#take(']');
        return { kind: 'list', of: this.type() };
      case '(':
        return { kind: 'tuple', parts: this.list(')') };
      case '{': {
        const key = this.type();
        this.#take(':');
        const of = this.type();
        this.#take('}');
        return { kind: 'map', key, of };
      }
      case 'fn': {
        this.#take('(');
        const { parameters, variadic } = this.#parameters();
        const ends = [undefined, ',', ')', '>', '}'];
        const result = ends.includes(this.#tokens[this.#at]) ? VOID : this.type();
        return { kind: 'function', parameters, variadic, result };
      }
      default:
        return this.#named(token);
    }
  }

  /** Types up to a closing token. */
  list(end: string): Type[] {
    const types: Type[] = [];
    while (this.#at < this.#tokens.length && !this.#take(end)) if (!this.#take(',')) types.push(this.type());
    return types;
  }

  #named(token: string): Type {
    const args = this.#take('<') ? this.list('>') : [];
    // What the method is called on.
    if (token === SELF) return { kind: 'parameter', id: SELF, bound: null };
    if (this.#own.has(token)) return { kind: 'parameter', id: this.id + token, bound: null };
    const found = this.library.lookUp(token, this.inPackage);
    if (!found) return { kind: 'builtin', name: token };
    return { kind: 'external', package: found.package, name: found.name, args };
  }

  #parameters(): { parameters: Type[]; variadic: boolean } {
    const parameters: Type[] = [];
    let variadic = false;
    while (this.#at < this.#tokens.length && !this.#take(')')) {
      if (this.#take(',')) continue;
      if (this.#take('...')) variadic = true;
      parameters.push(this.type());
    }
    return { parameters, variadic };
  }

  #next(): string {
    const token = this.#tokens[this.#at] ?? '';
    this.#at += 1;
    return token;
  }

  #take(token: string): boolean {
    if (token === '' || this.#tokens[this.#at] !== token) return false;
    this.#at += 1;
    return true;
  }
}

/** What a function gives that gives nothing. */
const VOID: Type = { kind: 'tuple', parts: [] };
