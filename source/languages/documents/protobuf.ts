import type { FileFacts } from '../../facts.js';
import { DefinitionList } from './definition-list.js';
import { type Token, Tokens } from './tokens.js';

const PIECE =
  /(?<comment>\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|(?<text>"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)|(?<word>[A-Za-z_.][\w.]*|\d[\w.]*)|[\s\S]/uy;
/** Types that no file defines. */
const SCALARS = new Set(
  'double float int32 int64 uint32 uint64 sint32 sint64 fixed32 fixed64 sfixed32 sfixed64 bool string bytes'.split(
    ' ',
  ),
);
/** Words that begin what is no field. */
const OTHERS = new Set(['option', 'reserved', 'extensions', 'syntax', 'edition']);
const BLOCKS = new Set(['message', 'enum', 'service', 'oneof', 'extend']);
const LABELS = new Set(['repeated', 'optional', 'required', 'map', 'stream', 'group', 'public', 'weak']);
/** Blocks in blocks that nobody writes. */
const DEEPEST = 64;

/** The messages, enums and services of a protobuf file, with their members. */
export function protobufFacts(text: string): FileFacts {
  return new ProtobufFile(text).facts();
}

class ProtobufFile {
  readonly #tokens: Tokens;
  readonly #list: DefinitionList;
  #package = '';

  constructor(text: string) {
    this.#tokens = new Tokens(text, PIECE);
    this.#list = new DefinitionList(text);
  }

  facts(): FileFacts {
    const { doc } = this.#tokens.peek();
    while (!this.#tokens.isOver) this.#block(null, 0);
    return this.#list.facts('protobuf', doc);
  }

  /** Reads to the end of a block, whose bracket is open. @param parent what it is the body of. */
  #block(parent: number | null, depth: number): void {
    const tokens = this.#tokens;
    while (!tokens.isOver) {
      if (tokens.take('}')) {
        if (parent === null && depth === 0) this.#list.wrong(tokens.end - 1);
        return;
      }
      const { kind, start } = tokens.peek();
      if (kind === 'word') this.#statement(parent, depth);
      else if (!tokens.take(';')) {
        tokens.next();
        this.#list.wrong(start);
      }
    }
    if (depth > 0) this.#list.wrong(tokens.end);
  }

  #statement(parent: number | null, depth: number): void {
    const tokens = this.#tokens;
    const first = tokens.peek();
    if (this.#opens()) this.#named(parent, depth);
    else if (first.text === 'rpc' && tokens.peek(1).kind === 'word') this.#method(parent);
    else if (first.text === 'package' && parent === null) {
      this.#package = tokens.peek(1).text;
      this.#rest();
    } else if (first.text === 'import' && parent === null) {
      const path = this.#rest().find(({ kind }) => kind === 'text');
      if (path) this.#list.import(path.text.slice(1, -1), path.start);
    } else if (OTHERS.has(first.text) && tokens.peek(2).text !== '=') this.#rest();
    else if (parent === null && depth === 0) {
      this.#rest();
      // Nothing else stands at the top.
      if (!OTHERS.has(first.text)) this.#list.wrong(first.start);
    } else this.#field(parent);
  }

  /** Whether `message Name {` or its like comes next. */
  #opens(): boolean {
    const tokens = this.#tokens;
    return BLOCKS.has(tokens.peek().text) && tokens.peek(1).kind === 'word' && tokens.peek(2).text === '{';
  }

  /** `message Name {` and its like. */
  #named(parent: number | null, depth: number): void {
    const tokens = this.#tokens;
    const [word, name] = [tokens.next(), tokens.next()];
    tokens.next();
    if (depth >= DEEPEST || this.#list.isFull) {
      this.#skip();
      return;
    }
    // What is in these are fields of the message around them, or of another one.
    if (word.text === 'oneof' || word.text === 'extend') {
      if (word.text === 'extend') this.#list.refer(parent, name.text, name.start);
      this.#block(parent, depth + 1);
      return;
    }
    const subkind = word.text === 'enum' ? 'enum' : word.text === 'service' ? 'interface' : null;
    const at = [word.start, name.start] as const;
    const within = this.#package;
    const docstring = word.doc;
    const index = this.#list.add({ form: 'class', subkind, name: name.text, within, parent, at, docstring });
    if (parent === null) this.#list.offer(index);
    this.#block(index, depth + 1);
    this.#list.close(index, tokens.end, name.end);
  }

  /** `rpc Get(Request) returns (stream Response);` */
  #method(parent: number | null): void {
    const [word, name] = [this.#tokens.next(), this.#tokens.next()];
    const at = [word.start, name.start] as const;
    const index = this.#list.add({ form: 'method', name: name.text, parent, at, docstring: word.doc });
    this.#list.offer(index);
    const rest = this.#rest();
    const bracket = rest.findLast(({ text }) => text === ')');
    const types = rest.filter(({ kind, text }) => kind === 'word' && text !== 'returns' && !LABELS.has(text));
    for (const { text, start } of types) this.#list.refer(index, text, start);
    const definition = this.#list.get(index);
    if (definition) definition.return_type = types[1]?.text ?? null;
    this.#list.close(index, this.#tokens.end, bracket?.end ?? name.end);
  }

  /** `repeated Item items = 1 [deprecated = true];`, or a value of an enum: `RED = 0;`. */
  #field(parent: number | null): void {
    const first = this.#tokens.peek();
    const rest = this.#rest();
    const equals = rest.findIndex(({ text }) => text === '=');
    const name = rest[equals - 1];
    if (equals < 1 || name?.kind !== 'word' || this.#list.isFull) {
      this.#list.wrong(first.start);
      return;
    }
    const types = rest.slice(0, equals - 1).filter(({ kind, text }) => kind === 'word' && !LABELS.has(text));
    const at = [first.start, name.start] as const;
    const value_type = types.at(-1)?.text ?? null;
    const index = this.#list.add({
      ...{ form: 'variable', name: name.text, parent, at, docstring: first.doc },
      ...{ value_type, is_constant: equals === 1 },
    });
    this.#list.close(index, rest[equals + 1]?.end ?? name.end);
    for (const { text, start } of types) if (!SCALARS.has(text)) this.#list.refer(index, text, start);
  }

  /** The pieces to the end of a statement, without what is in blocks. */
  #rest(): Token[] {
    const tokens = this.#tokens;
    const rest: Token[] = [];
    while (!tokens.isOver && !tokens.is('}') && !this.#opens()) {
      const token = tokens.next();
      if (token.text === ';') return rest;
      if (token.text === '{') {
        this.#skip();
        // A value in braces goes on behind them.
        if (!tokens.is(';', ']', ',')) return rest;
      } else if (rest.length < 500) rest.push(token);
    }
    return rest;
  }

  /** Reads to the end of a block of which nothing is taken. */
  #skip(): void {
    for (let depth = 1; depth > 0 && !this.#tokens.isOver; ) {
      const { text } = this.#tokens.next();
      if (text === '{') depth += 1;
      if (text === '}') depth -= 1;
    }
  }
}
