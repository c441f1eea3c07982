import type { TypeParameter, WrittenFunction, WrittenParameter, WrittenType } from './written-type.js';

/** Of a union with more parts, or a list of more type parameters, nothing is told. */
const MOST_PARTS = 64;

const TOKEN =
  /\s+|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|(=>|\.\.\.|(?<!\\)(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)|-?\d[\w.]*|#?[\p{ID_Start}$_][\p{ID_Continue}$]*|[^\s])/gu;

const PRIMITIVES = new Set(
  'string number boolean bigint symbol true false void never object null undefined'.split(' '),
);
const NOTHING = new Set(['null', 'undefined', 'void', 'never']);
const MODIFIERS = new Set(['readonly', 'public', 'private', 'protected', 'get', 'set', 'static', 'abstract']);

/** Types within more types are not read. */
const DEEPEST = 100;

/** Reads one text from its beginning; what is no type is passed over, so that the rest is read. */
export class TypeReader {
  readonly #tokens: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#tokens = [...text.matchAll(TOKEN)].flatMap(([, token]) => token ?? []);
  }

  /** Whether nothing is left. */
  get isDone(): boolean {
    return this.#at >= this.#tokens.length;
  }

  /** The type that comes next. */
  type(): WrittenType | null {
    return this.#deeper(() => this.#conditional());
  }

  /** What is nested deeper than people write tells nothing, nor does what comes behind it. */
  #deeper<T>(read: () => T | null): T | null {
    if (this.#depth >= DEEPEST) {
      this.#at = this.#tokens.length;
      return null;
    }
    this.#depth += 1;
    const type = read();
    this.#depth -= 1;
    return type;
  }

  #conditional(): WrittenType | null {
    const checked = this.#union();
    if (this.#peek() !== 'extends') return checked;
    // Which branch it is depends on more than is known here: only what both have in common is sure.
    this.#at++;
    this.#union();
    const yes = this.#take('?') ? this.type() : null;
    const no = this.#take(':') ? this.type() : null;
    return inCommon(yes, no);
  }

  /** The signature that comes next; null when none does. */
  signature(): WrittenFunction | null {
    return this.#peek() === '(' || this.#peek() === '<' ? this.#function(false, ':') : null;
  }

  /** A list of types up to `end`. */
  types(end: string): readonly (WrittenType | null)[] {
    const types: (WrittenType | null)[] = [];
    while (!this.isDone && this.#peek() !== end) {
      types.push(this.type());
      if (!this.#take(',')) break;
    }
    return types;
  }

  /** A list of type parameters up to `end`. */
  typeParameters(end: string): readonly TypeParameter[] {
    const parameters: TypeParameter[] = [];
    while (!this.isDone && this.#peek() !== end) {
      while (['const', 'in', 'out'].includes(this.#peek()) && /^[\w$]/.test(this.#peek(1))) this.#at++;
      const name = this.#next();
      const bound = this.#take('extends') ? this.#union() : null;
      if (this.#peek() === '?') this.#skipTo([',', '=', end]);
      const fallback = this.#take('=') ? this.type() : null;
      parameters.push({ name, bound, fallback });
      if (!this.#take(',')) break;
    }
    return parameters.length > MOST_PARTS ? [] : parameters;
  }

  #union(): WrittenType | null {
    this.#take('|');
    const parts = [this.#intersection()];
    let isEmpty = isNothing(this.#tokens[this.#at - 1], parts[0]);
    const kept = isEmpty ? [] : [parts[0] ?? null];
    while (this.#take('|')) {
      const part = this.#intersection();
      isEmpty = isNothing(this.#tokens[this.#at - 1], part);
      if (!isEmpty) kept.push(part);
    }
    if (kept.length === 0) return { kind: 'primitive' };
    if (kept.length > MOST_PARTS) return shortened(kept);
    return kept.length === 1 ? (kept[0] ?? null) : { kind: 'union', of: kept };
  }

  #intersection(): WrittenType | null {
    this.#take('&');
    const first = this.#postfix();
    if (this.#peek() !== '&') return first;
    const parts = [first];
    while (this.#take('&')) parts.push(this.#postfix());
    return { kind: 'intersection', of: parts };
  }

  #postfix(): WrittenType | null {
    let type = this.#deeper(() => this.#primary());
    for (let links = 0; this.#peek() === '['; links += 1) {
      this.#at++;
      if (links > DEEPEST) type = null;
      if (this.#take(']')) type = { kind: 'list', of: type };
      else {
        const key = this.type();
        this.#take(']');
        type = type && { kind: 'indexed', of: type, key };
      }
    }
    return type;
  }

  #primary(): WrittenType | null {
    const token = this.#next();
    if (token === '(') {
      this.#at--;
      return this.#isFunction() ? this.#function(false) : this.#parenthesized();
    }
    if (token === '<') {
      this.#at--;
      return this.#function(false);
    }
    if (token === '{') return this.#object();
    if (token === '[') return this.#tuple();
    if (/^['"]/.test(token)) return { kind: 'text', value: token.slice(1, -1) };
    if (/^[-\d`]/.test(token)) return { kind: 'primitive' };
    if (token === 'new' || (token === 'abstract' && this.#peek() === 'new')) {
      this.#take('new');
      return this.#function(true);
    }
    if (token === 'typeof') return this.#query();
    if (token === 'keyof' || token === 'unique' || token === 'infer') {
      this.#postfix();
      return null;
    }
    if (token === 'readonly') return this.#postfix();
    if (token === 'asserts' && /^[\w$]/.test(this.#peek())) return this.#predicate();
    if (this.#peek() === 'is' && /^[\w$]/.test(token)) return this.#predicate();
    if (PRIMITIVES.has(token)) return { kind: 'primitive' };
    if (!/^[\p{ID_Start}$_]/u.test(token)) return null;
    if (token === 'import' && this.#peek() === '(') {
      this.#skipTo([')']);
      this.#at++;
      while (this.#take('.')) this.#next();
      this.#arguments();
      return null;
    }
    const path = [token];
    while (this.#take('.')) path.push(this.#next());
    const args = this.#arguments();
    if (path.length === 1 && (token === 'any' || token === 'unknown')) return null;
    return { kind: 'name', path, args };
  }

  #predicate(): WrittenType {
    this.#skipTo([',', ')', ';', '}', '|', '=>']);
    return { kind: 'primitive' };
  }

  #query(): WrittenType | null {
    const path = [this.#next()];
    while (this.#take('.')) path.push(this.#next());
    this.#arguments();
    return path[0] === 'import' ? null : { kind: 'typeof', path };
  }

  #arguments(): readonly (WrittenType | null)[] {
    if (!this.#take('<')) return [];
    const args = this.types('>');
    this.#take('>');
    return args;
  }

  #parenthesized(): WrittenType | null {
    this.#take('(');
    const type = this.type();
    this.#take(')');
    return type;
  }

  /** Whether the bracket here opens a list of parameters: an arrow follows where it closes. */
  #isFunction(): boolean {
    let depth = 0;
    for (let at = this.#at; at < this.#tokens.length; at++) {
      const token = this.#tokens[at] ?? '';
      if ('([{'.includes(token)) depth++;
      else if (')]}'.includes(token) && --depth === 0) return this.#tokens[at + 1] === '=>';
    }
    return false;
  }

  #function(isConstructor: boolean, arrow = '=>'): WrittenFunction {
    let typeParameters: readonly TypeParameter[] = [];
    if (this.#take('<')) {
      typeParameters = this.typeParameters('>');
      this.#take('>');
    }
    const parameters = this.#parameters();
    const result = this.#take(arrow) ? this.type() : null;
    return { kind: 'function', isConstructor, typeParameters, parameters, result };
  }

  #parameters(): readonly WrittenParameter[] {
    const parameters: WrittenParameter[] = [];
    if (!this.#take('(')) return parameters;
    while (!this.isDone && this.#peek() !== ')') {
      const rest = this.#take('...');
      const name = this.#peek();
      this.#skipTo([':', ',', ')', '?', '=']);
      this.#take('?');
      const type = this.#take(':') ? this.type() : null;
      if (name !== 'this') parameters.push({ type, rest });
      if (!this.#take(',')) break;
    }
    this.#take(')');
    return parameters;
  }

  #tuple(): WrittenType {
    const of: (WrittenType | null)[] = [];
    while (!this.isDone && this.#peek() !== ']') {
      const rest = this.#take('...');
      if (
        /^[\w$]/.test(this.#peek()) &&
        (this.#peek(1) === ':' || (this.#peek(1) === '?' && this.#peek(2) === ':'))
      ) {
        this.#skipTo([':']);
        this.#take(':');
      }
      const type = this.type();
      this.#take('?');
      of.push(rest ? null : type);
      if (!this.#take(',')) break;
    }
    this.#take(']');
    return { kind: 'tuple', of };
  }

  #object(): WrittenType {
    const members = new Map<string, WrittenType | null>();
    const calls: WrittenFunction[] = [];
    let others: WrittenType | null = null;
    while (!this.isDone && this.#peek() !== '}') {
      const before = this.#at;
      if (this.#peek() === '(' || this.#peek() === '<') calls.push(this.#function(false, ':'));
      else if (this.#takesKey()) others = this.#keyed(members) ?? others;
      else this.#member(members);
      if (!this.#take(';')) this.#take(',');
      if (this.#at === before) this.#at++;
    }
    this.#take('}');
    return { kind: 'object', members, others, calls };
  }

  #member(members: Map<string, WrittenType | null>): void {
    while (MODIFIERS.has(this.#peek()) && /^['"#\p{ID_Start}$_]/u.test(this.#peek(1))) this.#at++;
    const name = textOf(this.#next());
    members.set(name, this.#valueOfMember());
  }

  /** Goes behind the bracket of `[…]: T`, and what stands before that in a mapped type. */
  #takesKey(): boolean {
    if (['+', '-', 'readonly'].includes(this.#peek()) && this.#peek(1) === '[') this.#at++;
    return this.#take('[');
  }

  /** What any name gives by `[name: string]: T` and `[K in Keys]: T`. One computed key, a symbol's, gives no name anything. */
  #keyed(members: Map<string, WrittenType | null>): WrittenType | null {
    const [key, next, type] = [this.#peek(), this.#peek(1), this.#peek(2)];
    this.#skipTo([']']);
    this.#take(']');
    if (['+', '-'].includes(this.#peek())) this.#at++;
    const value = this.#valueOfMember();
    if (next === 'in') return value;
    if (next === ':') return type === 'symbol' || type.startsWith('`') ? null : value;
    if (next === ']' && /^['"]/.test(key)) members.set(textOf(key), value);
    return null;
  }

  #valueOfMember(): WrittenType | null {
    this.#take('?');
    if (this.#peek() === '(' || this.#peek() === '<') return this.#function(false, ':');
    return this.#take(':') ? this.type() : null;
  }

  #peek(ahead = 0): string {
    return this.#tokens[this.#at + ahead] ?? '';
  }

  #next(): string {
    return this.#tokens[this.#at++] ?? '';
  }

  #take(token: string): boolean {
    if (this.isDone || this.#peek() !== token) return false;
    this.#at++;
    return true;
  }

  /** Goes to the first of these tokens outside all brackets. */
  #skipTo(ends: readonly string[]): void {
    let depth = 0;
    for (; !this.isDone; this.#at++) {
      const token = this.#peek();
      if (depth === 0 && ends.includes(token)) return;
      if ('([{<'.includes(token)) depth++;
      else if (')]}>'.includes(token)) depth--;
    }
  }
}

/** What a token that is a text in quotes says; others as they are. */
function textOf(token: string): string {
  return token.replace(/^(['"])(.*)\1$/, '$2');
}

function isNothing(last: string | undefined, type: WrittenType | null | undefined): boolean {
  return type?.kind === 'primitive' && NOTHING.has(last ?? '');
}

/** A union of many parts, as unions of texts are: those have no members, whichever it is. */
function shortened(parts: readonly (WrittenType | null)[]): WrittenType | null {
  const others = parts.filter((part) => part?.kind !== 'text' && part?.kind !== 'primitive');
  if (others.length > MOST_PARTS) return null;
  return others.length === 0
    ? { kind: 'primitive' }
    : { kind: 'union', of: [...others, { kind: 'primitive' }] };
}

/** The name that is a part of both branches: `this & Refined<T>` and `this`. */
function inCommon(yes: WrittenType | null, no: WrittenType | null): WrittenType | null {
  const parts = (type: WrittenType | null) => (type?.kind === 'intersection' ? type.of : [type]);
  const known = parts(no).map(nameIn);
  const at = parts(yes).findIndex((one) => nameIn(one) !== null && known.includes(nameIn(one)));
  return parts(yes)[at] ?? null;
}

function nameIn(type: WrittenType | null): string | null {
  return type?.kind === 'name' ? type.path.join('.') : null;
}
