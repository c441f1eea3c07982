import type { Definition, FileFacts } from '../../facts.js';
import { DefinitionList } from './definition-list.js';
import { type Token, Tokens } from './tokens.js';

const PIECE =
  /(?<comment>#[^\n]*)|(?<text>"""[\s\S]*?(?:"""|$)|"(?:\\.|[^"\\\n])*"?)|(?<word>[A-Za-z_]\w*)|\.\.\.|[\s\S]/uy;
const SCALARS = new Set(['Int', 'Float', 'String', 'Boolean', 'ID']);
/** What each word that begins a definition makes. */
const KINDS: ReadonlyMap<string, Pick<Definition, 'form' | 'subkind'>> = new Map([
  ['type', { form: 'class', subkind: null }],
  ['interface', { form: 'class', subkind: 'interface' }],
  ['input', { form: 'class', subkind: 'struct' }],
  ['enum', { form: 'class', subkind: 'enum' }],
  ['union', { form: 'type', subkind: null }],
  ['scalar', { form: 'type', subkind: null }],
  ['directive', { form: 'function', subkind: null }],
  ['query', { form: 'function', subkind: null }],
  ['mutation', { form: 'function', subkind: null }],
  ['subscription', { form: 'function', subkind: null }],
  ['fragment', { form: 'type', subkind: null }],
]);
/** Where a schema is entered: names that all schemas share, and no code means. */
const ROOTS = new Set(['Query', 'Mutation', 'Subscription']);

/** The types, operations and fragments of a GraphQL document, with their members. */
export function graphqlFacts(text: string): FileFacts {
  return new GraphqlFile(text).facts();
}

class GraphqlFile {
  readonly #tokens: Tokens;
  readonly #list: DefinitionList;

  constructor(private readonly text: string) {
    this.#tokens = new Tokens(text, PIECE);
    this.#list = new DefinitionList(text);
  }

  facts(): FileFacts {
    const tokens = this.#tokens;
    while (!tokens.isOver && !this.#list.isFull) {
      const said = tokens.peek().kind === 'text' ? tokens.next() : null;
      const first = tokens.peek();
      const isExtension = tokens.take('extend');
      const word = tokens.peek();
      const kind = word.kind === 'word' ? KINDS.get(word.text) : undefined;
      if (kind) this.#definition(kind, isExtension, isExtension ? first : word, said);
      else if (word.text === '{') this.#braces(null, null);
      else if (word.text === 'schema') {
        while (!tokens.isOver && !tokens.is('{')) tokens.next();
        this.#braces(null, null);
      } else {
        tokens.next();
        this.#list.wrong(word.start);
      }
    }
    return this.#list.facts('graphql');
  }

  #definition(
    kind: Pick<Definition, 'form' | 'subkind'>,
    isExtension: boolean,
    first: Token,
    said: Token | null,
  ): void {
    const tokens = this.#tokens;
    const word = tokens.next();
    tokens.take('@');
    // An operation may have no name.
    const name = tokens.peek().kind === 'word' ? tokens.next() : null;
    const index =
      name &&
      this.#list.add({
        ...{ ...kind, name: name.text, at: [first.start, name.start] },
        docstring: said ? describes(said) : first.doc,
      });
    if (index !== null && name) {
      if (isExtension) this.#list.refer(index, name.text, name.start);
      else if (!ROOTS.has(name.text)) this.#list.offer(index);
    } else if (!['query', 'mutation', 'subscription'].includes(word.text)) this.#list.wrong(word.start);
    const head = this.#head(word.text, index);
    const isSchema = kind.form === 'class';
    if (tokens.is('{')) this.#braces(isSchema ? index : null, index, word.text === 'enum');
    if (index !== null) this.#list.close(index, tokens.end, head);
  }

  /** Reads what is in front of the braces. @returns where it ends. */
  #head(word: string, index: number | null): number {
    const tokens = this.#tokens;
    const definition = index === null ? undefined : this.#list.get(index);
    const place = new TypePlaces();
    while (!tokens.isOver) {
      const next = tokens.peek();
      if (place.isOutside && (next.text === '{' || this.#begins())) break;
      tokens.next();
      const isBase =
        place.isOutside && (word === 'type' || word === 'interface') && next.text !== 'implements';
      const isMember = place.isOutside && word === 'union';
      const isOn = word === 'fragment' && place.before === 'on';
      const isNamed = (isBase || isMember || isOn) && next.kind === 'word' && place.before !== '@';
      if (place.isType(next) || isNamed) this.#list.refer(index, next.text, next.start);
      const line = definition?.name_line ?? 0;
      if (isBase && isNamed) definition?.bases.push({ name: next.text, relation: 'implements', line });
    }
    return tokens.end;
  }

  /** Whether the next piece begins a definition. */
  #begins(): boolean {
    const [first, second, third] = [this.#tokens.peek(), this.#tokens.peek(1), this.#tokens.peek(2)];
    if (first.kind === 'text') return true;
    if (first.text === 'extend' || first.text === 'schema')
      return second.kind === 'word' || second.text === '{';
    if (!KINDS.has(first.text) || second.kind !== 'word')
      return first.text === 'directive' && second.text === '@';
    return third.kind === 'word' || '{(@='.includes(third.text);
  }

  /**
   * Reads what is in braces: the members of a type, or the selections of an operation.
   *
   * @param parent What has members there; null where nothing has.
   * @param from What names in it belong to.
   */
  #braces(parent: number | null, from: number | null, isEnum = false): void {
    const tokens = this.#tokens;
    if (!tokens.take('{')) return;
    const place = new TypePlaces();
    let depth = 1;
    let said: Token | null = null;
    let [member, end] = [-1, 0];
    const finish = () => {
      if (member >= 0) this.#list.close(member, end);
      member = -1;
    };
    while (depth > 0 && !tokens.isOver) {
      const token = tokens.peek();
      // What begins at the start of a line is none of a block that was never closed.
      if (token.start > 0 && this.text[token.start - 1] === '\n' && token.kind === 'word' && this.#begins())
        break;
      if (token.text === '}' && depth === 1) finish();
      const { before } = place;
      const second = tokens.peek(1).text;
      const { isOutside } = place;
      const begins = isOutside && token.kind === 'word' && before !== '@' && before !== ':';
      tokens.next();
      if (token.text === '{') depth += 1;
      if (token.text === '}') depth -= 1;
      const isType = place.isType(token);
      if (parent === null) {
        if (token.kind === 'word' && (before === 'on' || (before === '...' && token.text !== 'on')))
          this.#list.refer(from, token.text, token.start);
      } else if (token.kind === 'text') said = isOutside && before !== '=' ? token : said;
      else if (begins && (isEnum || /^[:(]$/.test(second))) {
        finish();
        if (this.#list.isFull) continue;
        const at = [token.start, token.start] as const;
        const docstring = said ? describes(said) : token.doc;
        member = this.#list.add({
          ...{ form: 'variable', name: token.text, parent, at, docstring, is_constant: isEnum },
        });
        said = null;
      } else if (isType) this.#list.refer(member < 0 ? parent : member, token.text, token.start);
      if (token.kind === 'word' && /^[:[]$/.test(before) && isOutside && member >= 0) {
        const definition = this.#list.get(member);
        if (definition) definition.value_type ??= token.text;
      }
      if (token.text !== '}') end = token.kind === 'text' && said === token ? end : token.end;
    }
    finish();
    if (depth > 0) this.#list.wrong(tokens.end);
  }
}

/** Where types are named: behind colons, but not in values. */
class TypePlaces {
  #before = ['', ''];
  #brackets = 0;
  #braces = 0;
  /** The depth of brackets in which a directive has its arguments; 0 outside of any. */
  #applied = 0;

  get before(): string {
    return this.#before[1] ?? '';
  }

  /** Outside of all brackets and braces. */
  get isOutside(): boolean {
    return this.#brackets === 0 && this.#braces === 0;
  }

  /** Takes the next piece, and says whether it is the name of a type that somebody defines. */
  isType({ kind, text }: Token): boolean {
    const [second = '', first = ''] = this.#before;
    const isBehind = first === ':' || (first === '[' && (second === ':' || second === '['));
    if (text === '(') {
      this.#brackets += 1;
      if (second === '@' && this.#applied === 0) this.#applied = this.#brackets;
    }
    if (text === ')') {
      if (this.#applied === this.#brackets) this.#applied = 0;
      this.#brackets -= 1;
    }
    if (text === '{') this.#braces += 1;
    if (text === '}') this.#braces -= 1;
    this.#before = [first, text];
    return kind === 'word' && isBehind && this.#applied === 0 && this.#braces === 0 && !SCALARS.has(text);
  }
}

/** What a description says. */
function describes({ text }: Token): string {
  const inside = text.replace(/^"(?:"")?|"(?:"")?$/g, '');
  return inside
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim();
}
