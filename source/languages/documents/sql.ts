import type { Definition, FileFacts, TableUse } from '../../facts.js';
import { tableNames } from '../../table-names.js';
import { TextLines } from '../../text-lines.js';
import { DefinitionList } from './definition-list.js';
import { type Token, Tokens } from './tokens.js';

/** A piece of any dialect: only what no other one takes for something else. Data behind COPY is no statement. */
const PIECE =
  /(?<comment>--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|(?<![^\n])#[^\n]*|\bfrom\s+stdin\b[^;\n]*;[\s\S]*?(?:\n\\\.|$))|(?<text>\$(?<tag>[A-Za-z_]\w*|)\$[\s\S]*?(?:\$\k<tag>\$|$)|e'(?:\\[\s\S]|''|[^'\\])*(?:'|$)|'(?:''|[^'])*(?:'|$)|"[^"]*(?:"|$)|\[[A-Za-z_][^\]\n]{0,127}\])|(?<word>[\p{L}_@#][\p{L}\p{N}_$#@]*|\d[\w.]*)|[\s\S]/iuy;
/** Of the dialects that have names in backticks, and backslashes in strings. */
const ESCAPED_PIECE =
  /(?<comment>--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|(?<![^\n])#[^\n]*|\bfrom\s+stdin\b[^;\n]*;[\s\S]*?(?:\n\\\.|$))|(?<text>\$(?<tag>[A-Za-z_]\w*|)\$[\s\S]*?(?:\$\k<tag>\$|$)|'(?:\\[\s\S]|''|[^'\\])*(?:'|$)|`[^`\n]*(?:`|$)|"[^"]*(?:"|$)|\[[A-Za-z_][^\]\n]{0,127}\])|(?<word>[\p{L}_@#][\p{L}\p{N}_$#@]*|\d[\w.]*)|[\s\S]/iuy;

type Kind = Pick<Definition, 'form' | 'subkind'>;
/** What CREATE makes that is a symbol. */
const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['table', { form: 'class', subkind: null }],
  ['view', { form: 'class', subkind: null }],
  ['function', { form: 'function', subkind: null }],
  ['procedure', { form: 'function', subkind: null }],
  ['proc', { form: 'function', subkind: null }],
  ['trigger', { form: 'function', subkind: null }],
  ['type', { form: 'type', subkind: null }],
]);
/** Words between CREATE and what it makes; of the last ones a value follows. */
const BETWEEN = new Set(
  (
    'or replace alter temp temporary global local unlogged materialized recursive external foreign virtual force noforce ' +
    'editionable noneditionable aggregate constraint transient dynamic algorithm definer sql security invoker'
  ).split(' '),
);
/** What an item of a table begins with that is no column. */
const NO_COLUMN = new Set(
  'constraint primary foreign unique check fulltext spatial exclude like period'.split(' '),
);
/** What ends the type of a column. */
const AFTER_TYPE =
  /^(?:not|null|default|primary|unique|references|check|constraint|collate|generated|auto_increment|autoincrement|identity|comment|on|as|encode|charset|character\s+set)$/i;

/** Words in front of the name of a table that only definitions have. */
const REFERENCES = /\breferences\s+((?:["`[]?\w+["`\]]?\.)?["`[]?\w+["`\]]?)/gi;
const ON = /\bon\s+((?:["`[]?\w+["`\]]?\.)?["`[]?\w+["`\]]?)/gi;

/** Tables, views, functions, procedures, triggers and types of SQL, whatever its dialect. */
export function sqlFacts(text: string): FileFacts {
  return new SqlFile(text).facts();
}

class SqlFile {
  readonly #tokens: Tokens;
  readonly #list: DefinitionList;
  readonly #tables: TableUse[] = [];
  readonly #named = new Map<string, number>();
  #lines: TextLines | null = null;

  constructor(private readonly text: string) {
    this.#tokens = new Tokens(text, /`\w+`|\bengine\s*=/i.test(text) ? ESCAPED_PIECE : PIECE);
    this.#list = new DefinitionList(text);
  }

  facts(): FileFacts {
    const tokens = this.#tokens;
    while (!tokens.isOver && !this.#list.isFull) {
      if (tokens.is('create')) this.#create();
      else if (tokens.is('comment') && tokens.peek(1).text.toLowerCase() === 'on') this.#comment();
      else tokens.next();
    }
    const facts = this.#list.facts('sql');
    return this.#tables.length > 0 ? { ...facts, tables: this.#tables } : facts;
  }

  #create(): void {
    const tokens = this.#tokens;
    const first = tokens.next();
    while (BETWEEN.has(tokens.peek().text.toLowerCase())) {
      tokens.next();
      // `DEFINER = root@localhost`.
      if (tokens.take('='))
        for (tokens.next(); tokens.peek().text.startsWith('@'); )
          if (tokens.next().text === '@') tokens.next();
    }
    const word = tokens.peek().text.toLowerCase();
    const kind = KINDS.get(word);
    if (!kind) return;
    tokens.next();
    if (word === 'type' && tokens.take('body')) return;
    if (tokens.take('if')) while (tokens.take('not', 'exists'));
    const path = this.#path();
    const name = path.at(-1);
    if (!name) {
      this.#list.wrong(first.start);
      return;
    }
    const named = [first.start, name.at] as const;
    const within = path
      .slice(0, -1)
      .map((part) => part.name)
      .join('.');
    const made = word === 'type' ? this.#typeKind(kind) : kind;
    const index = this.#list.add({ ...made, name: name.name, within, at: named, docstring: first.doc });
    this.#list.offer(index);
    const key = this.#list.get(index)?.qualname.toLowerCase() ?? '';
    this.#named.set(key, index);
    const head = made.form === 'function' ? this.#routine(index, first.start) : this.#columns(index, word);
    this.#list.close(index, tokens.end, head);
    // What a statement reads is what it is made of.
    const from = name.at + name.name.length;
    if (word === 'trigger') this.#uses(index, from, head, ON);
    if (word !== 'type') this.#uses(index, from, tokens.end, REFERENCES);
  }

  /** `schema.name`, in quotes or without. */
  #path(): { name: string; at: number }[] {
    const tokens = this.#tokens;
    const path: { name: string; at: number }[] = [];
    do {
      const { kind, text, start } = tokens.peek();
      if (kind === 'sign' || text.startsWith("'") || text.startsWith('$')) return [];
      tokens.next();
      const name = kind === 'text' ? text.replace(/^["`[]|["`\]]$/g, '') : text;
      if (name === '') return [];
      path.push({ name, at: kind === 'text' ? start + 1 : start });
    } while (tokens.take('.'));
    return path;
  }

  /** Of a type: one with values, one with fields, or another name. */
  #typeKind(kind: Kind): Kind {
    const [first, second, third] = [0, 1, 2].map((at) => this.#tokens.peek(at).text.toLowerCase());
    if (first === 'as' && second === 'enum') return { form: 'class', subkind: 'enum' };
    const isFields =
      first === 'as' && (second === '(' || second === 'object' || (second === 'table' && third === '('));
    return isFields ? { form: 'class', subkind: 'struct' } : kind;
  }

  /** Reads a statement with the columns that its first brackets list. @returns where its head ends. */
  #columns(owner: number, word: string): number {
    const tokens = this.#tokens;
    const subkind = this.#list.get(owner)?.subkind;
    const head = tokens.end;
    // What comes behind AS is a query, but of a type.
    let isListed = false;
    while (!tokens.isOver && !tokens.is(';')) {
      if (this.#startsAnother()) return head;
      if (tokens.is('as') && word !== 'type') isListed = true;
      const opens = tokens.is('(');
      tokens.next();
      if (!opens) continue;
      if (isListed) this.#brackets();
      else this.#items(owner, subkind === 'enum');
      isListed = true;
    }
    return head;
  }

  /** The items of brackets that are open. */
  #items(owner: number, areValues: boolean): void {
    const tokens = this.#tokens;
    while (!tokens.isOver) {
      const item: Token[] = [];
      let depth = 0;
      for (; !tokens.isOver; ) {
        const { text } = tokens.peek();
        if ((depth === 0 && (text === ',' || text === ')')) || this.#startsAnother()) break;
        if (text === '(') depth += 1;
        if (text === ')') depth -= 1;
        if (text === ';' && depth <= 0) break;
        const token = tokens.next();
        if (item.length < 200) item.push(token);
      }
      this.#item(owner, item, areValues);
      if (!tokens.take(',')) break;
    }
    tokens.take(')');
  }

  #item(owner: number, item: readonly Token[], isValue: boolean): void {
    const [first, second, third, fourth] = item;
    const last = item.at(-1);
    if (!first || !last || first.kind === 'sign') return;
    const word = first.kind === 'word' ? first.text.toLowerCase() : '';
    if (!isValue && NO_COLUMN.has(word)) return;
    // `KEY name (column)` is no column, `key varchar(20)` is one.
    const isKey = second?.text === '(' || (third?.text === '(' && !/^\d/.test(fourth?.text ?? ''));
    if (!isValue && (word === 'key' || word === 'index') && isKey) return;
    if (isValue ? !first.text.startsWith("'") : first.text.startsWith("'") || first.text.startsWith('$'))
      return;
    const name = first.kind === 'text' ? first.text.replace(/^["'`[]|["'`\]]$/g, '') : first.text;
    if (name === '') return;
    const at = [first.start, first.kind === 'text' ? first.start + 1 : first.start] as const;
    const ends = item.findIndex(({ text }, index) => index > 0 && AFTER_TYPE.test(text));
    const types = item.slice(1, ends < 0 ? undefined : ends);
    const [from, to] = [types[0]?.start, types.at(-1)?.end];
    const value_type =
      from === undefined ? null : this.text.slice(from, to).replace(/\s+/g, ' ').slice(0, 100);
    const index = this.#list.add({
      ...{ form: 'variable', name, parent: owner, at, docstring: first.doc },
      ...{ value_type, is_constant: isValue },
    });
    this.#list.close(index, last.end);
  }

  /** Reads to the end of brackets that are open. */
  #brackets(): void {
    for (
      let depth = 1;
      depth > 0 && !this.#tokens.isOver && !this.#tokens.is(';') && !this.#startsAnother();
    ) {
      const { text } = this.#tokens.next();
      if (text === '(') depth += 1;
      if (text === ')') depth -= 1;
    }
  }

  /** Reads a function, a procedure or a trigger: to the `;` behind its last END. @returns where its head ends. */
  #routine(owner: number, start: number): number {
    const tokens = this.#tokens;
    let depth = 0;
    let head = -1;
    while (!tokens.isOver) {
      if (tokens.is(';') && (depth <= 0 || this.#startsAnother(1))) break;
      if (tokens.end > start && this.#startsAnother()) break;
      const [word, after] = [tokens.peek().text.toLowerCase(), tokens.peek(1).text.toLowerCase()];
      const isBody = tokens.peek().kind === 'text' && word.startsWith('$');
      if (head < 0 && (word === 'begin' || word === 'as' || word === 'is' || isBody)) head = tokens.end;
      if (word === 'returns' && head < 0) this.#returns(owner);
      // IF, LOOP and their like end by words of their own.
      if (word === 'begin' && !/^(?:tran|transaction|work|;)$/.test(after)) depth += 1;
      if (word === 'case') depth += 1;
      if (word === 'end' && !/^(?:if|loop|while|repeat|for)$/.test(after)) {
        depth -= 1;
        if (after === 'case') tokens.next();
      }
      tokens.next();
    }
    return head < 0 ? tokens.end : head;
  }

  #returns(owner: number): void {
    const definition = this.#list.get(owner);
    const { kind, text } = this.#tokens.peek(1);
    if (definition && kind === 'word') definition.return_type = text;
  }

  /** Whether a statement begins at the start of a line: what is in front was never ended. */
  #startsAnother(further = 0): boolean {
    const { text, start } = this.#tokens.peek(further);
    const isFirst = start === 0 || this.text[start - 1] === '\n';
    if (!isFirst) return false;
    if (/^go$/i.test(text)) return true;
    return (
      /^create$/i.test(text) &&
      !/^\s*create\s+(?:(?:unique|temp|temporary)\s+)*(?:index|temp|temporary)\b/i.test(
        this.text.slice(start, start + 60),
      )
    );
  }

  /** `COMMENT ON TABLE users IS 'says this'`. */
  #comment(): void {
    const tokens = this.#tokens;
    tokens.next();
    tokens.next();
    const word = tokens.next().text.toLowerCase();
    if (word !== 'table' && word !== 'view') return;
    const key = this.#path()
      .map((part) => part.name)
      .join('.');
    const definition = this.#list.get(this.#named.get(key.toLowerCase()) ?? -1);
    if (definition && tokens.take('is') && tokens.peek().text.startsWith("'"))
      definition.docstring ??= tokens.next().text.slice(1, -1).replaceAll("''", "'").trim();
  }

  /** The tables that a statement names, by its text. */
  #uses(from: number, start: number, end: number, words: RegExp): void {
    const text = this.text
      .slice(start, end)
      .replace(/--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, (comment) => ' '.repeat(comment.length));
    this.#lines ??= new TextLines(this.text);
    const named = [...text.matchAll(words)].map((match) => ({
      name: (match[1] ?? '').replace(/["`[\]]/g, ''),
      writes: false,
      at: match.index + match[0].length - (match[1] ?? '').length,
      start: match.index,
      end: match.index + match[0].length,
    }));
    const all = words === ON ? named.slice(0, 1) : [...named, ...tableNames(text)];
    for (const { name, writes, at, start: begun, end: behind } of all.sort((a, b) => a.at - b.at)) {
      const expression = text.slice(begun, behind).replace(/\s+/g, ' ').slice(0, 120);
      this.#tables.push({ name, writes, from, ...this.#lines.placeAt(start + at), expression });
    }
  }
}
