import type { Tree } from 'web-tree-sitter';
import type { Span } from '../../facts.js';
import { type RawNode, TreeNodes } from '../../tree-memory.js';

const NONE: readonly SyntaxNode[] = [];
const BRACKETED = new Set(['arguments', 'formal_parameters', 'statement_block', 'object', 'array']);
/** `)`, `]` and `}`. */
const CLOSING = new Set([41, 93, 125]);
const PREDEFINED = /:\s*(?:string|number|boolean|void|unknown|any|never)\s*[,;)={]/y;

/** Whether the text alone shows that a node has no children that anybody needs. Each of these is frequent. */
function isPlainlyEmpty(type: string, text: string, start: number): boolean {
  if (BRACKETED.has(type)) return CLOSING.has(text.charCodeAt(start + 1));
  if (type === 'template_string') {
    const end = text.indexOf('`', start + 1);
    return !text.slice(start, end).includes('${') && text.charCodeAt(end - 1) !== BACKSLASH;
  }
  if (type !== 'type_annotation') return false;
  PREDEFINED.lastIndex = start;
  return PREDEFINED.test(text);
}

const HASH = 35;
const BACKSLASH = 92;

function isPlainNameUnit(unit: number): boolean {
  return (
    (unit >= 97 && unit <= 122) ||
    (unit >= 65 && unit <= 90) ||
    (unit >= 48 && unit <= 57) ||
    unit === 95 ||
    unit === 36
  );
}

/**
 * A named node of a syntax tree, read lazily. Every look into WebAssembly costs about as much as all that
 * extraction does with its answer, so each is made once and only when asked; fields are not asked for at all:
 * grammars order the named children of a node, and comments, which may stand anywhere, are left out.
 * Only valid while the tree lives.
 */
export class SyntaxNode implements RawNode {
  /** The grammar's name of the node; `ERROR` around what could not be parsed. */
  readonly type: string;
  /** Offset of the first character in the text. */
  readonly start: number;
  readonly parent: SyntaxNode | null;
  readonly id: number;
  readonly row: number;
  readonly column: number;
  readonly other: number;
  readonly #source: SyntaxSource;
  #end = -1;
  #children: readonly SyntaxNode[] | null = null;

  constructor(
    type: string,
    parent: SyntaxNode | null,
    source: SyntaxSource,
    id: number,
    start: number,
    row: number,
    column: number,
    other: number,
  ) {
    this.type = type;
    this.start = start;
    this.parent = parent;
    this.id = id;
    this.row = row;
    this.column = column;
    this.other = other;
    this.#source = source;
  }

  /** Offset behind the last character. */
  get end(): number {
    if (this.#end < 0) this.#end = this.#source.nodes.end(this);
    return this.#end;
  }

  /** As written. */
  get text(): string {
    return this.#source.text.slice(this.start, this.end);
  }

  /** The text of a node that is one name: read off the source, which is cheaper than asking where it ends. */
  get nameText(): string {
    const { text } = this.#source;
    let end = this.start + (text.charCodeAt(this.start) === HASH ? 1 : 0);
    while (isPlainNameUnit(text.charCodeAt(end))) end += 1;
    // Escapes and letters beyond ASCII are left to the grammar.
    const next = text.charCodeAt(end);
    return end === this.start || next === BACKSLASH || next > 127 ? this.text : text.slice(this.start, end);
  }

  /** The named children without comments, in source order. */
  get children(): readonly SyntaxNode[] {
    this.#children ??= this.#read();
    return this.#children;
  }

  /** The first child of one of these types; null when there is none. */
  child(...types: readonly string[]): SyntaxNode | null {
    for (const one of this.children) if (types.includes(one.type)) return one;
    return null;
  }

  /** The first child; null when there is none. */
  get first(): SyntaxNode | null {
    return this.children[0] ?? null;
  }

  /** The last child; null when there is none. */
  get last(): SyntaxNode | null {
    return this.children.at(-1) ?? null;
  }

  #read(): readonly SyntaxNode[] {
    const source = this.#source;
    if (source.leaves.has(this.type)) return NONE;
    if (isPlainlyEmpty(this.type, source.text, this.start)) return NONE;
    const children: SyntaxNode[] = [];
    source.nodes.children(this, (type, id, start, row, column, other) => {
      const name = source.types[type] ?? 'ERROR';
      if (name !== 'comment')
        children.push(new SyntaxNode(name, this, source, id, start, row, column, other));
    });
    return children;
  }
}

/** One parsed text: its nodes' shared ground, and where offsets stand in it. */
export class SyntaxSource {
  readonly text: string;
  /** Node types by the grammar's numbers. */
  readonly types: readonly string[];
  /** Types whose children nobody needs. */
  readonly leaves: ReadonlySet<string>;
  readonly nodes: TreeNodes;
  readonly root: SyntaxNode;
  readonly #lineStarts: number[] = [0];
  #lastLine = 0;

  constructor(text: string, tree: Tree, leaves: ReadonlySet<string>) {
    this.text = text;
    this.types = tree.language.types;
    this.leaves = leaves;
    this.nodes = new TreeNodes(tree);
    this.root = this.nodes.root(
      (type, id, start, row, column, other) =>
        new SyntaxNode(this.types[type] ?? 'ERROR', null, this, id, start, row, column, other),
    );
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#lineStarts.push(at + 1);
  }

  /** Lines of the text; what follows the last line end counts when it is not empty. */
  get lineCount(): number {
    return this.#lineStarts.length - (this.#lineStarts.at(-1) === this.text.length ? 1 : 0);
  }

  /** The line of an offset, from 1. */
  lineOf(offset: number): number {
    return this.#row(offset) + 1;
  }

  /** The column of an offset, from 0, in UTF-16 units. */
  columnOf(offset: number): number {
    return offset - (this.#lineStarts[this.#row(offset)] ?? 0);
  }

  /** The span from one offset to another, the second excluded. */
  span(start: number, end: number): Span {
    return {
      start_line: this.lineOf(start),
      start_column: this.columnOf(start),
      end_line: this.lineOf(end),
      end_column: this.columnOf(end),
    };
  }

  /** Questions come nearly in order: the last answer is looked at first. */
  #row(offset: number): number {
    const starts = this.#lineStarts;
    let low = 0;
    let high = starts.length - 1;
    const last = this.#lastLine;
    if ((starts[last] ?? 0) <= offset) {
      low = last;
      if (offset < (starts[last + 1] ?? Number.POSITIVE_INFINITY)) return last;
    } else high = last;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    this.#lastLine = low;
    return low;
  }
}

const UNFOLDED = /\s\s|[^\S ]|^ | $/;

/** White space folded to single blanks, cut to `limit` characters with an ellipsis. */
export function folded(text: string, limit: number): string {
  // A long text is not folded as a whole just to be cut: code is seldom half, or three quarters, white space.
  if (text.length > limit * 2) {
    const head = blanksFolded(text.slice(0, limit * 2));
    if (head.length > limit) return cut(head, limit);
  }
  const most = limit * 4 + 200;
  const start = text.length > most ? text.slice(0, most) : text;
  const folded = blanksFolded(start);
  return folded.length > limit ? cut(folded, limit) : folded;
}

function blanksFolded(text: string): string {
  return UNFOLDED.test(text) ? text.replace(/\s+/g, ' ').trim() : text;
}

function cut(text: string, limit: number): string {
  return `${text.slice(0, limit - 1)}…`;
}
