import type { Tree } from 'web-tree-sitter';
import { type NodeId, type NodeRules, SourceText, SyntaxTree } from '../../lower/index.js';

const NO_CHILDREN: readonly SyntaxNode[] = [];

/** What of a tree is read: names, texts and key words are their text. */
const RULES: NodeRules = {
  comments: ['comment'],
  leaves: (
    'identifier property_identifier private_property_identifier type_identifier predefined_type string number regex ' +
    'this super true false null undefined import shorthand_property_identifier statement_identifier ' +
    'shorthand_property_identifier_pattern accessibility_modifier override_modifier optional_chain jsx_text ' +
    'string_fragment escape_sequence html_character_reference empty_statement literal_type this_type hash_bang_line'
  ).split(' '),
  // Findings puts aside what is deeper than its stack.
  deepest: Number.POSITIVE_INFINITY,
};

/**
 * A named node of a syntax tree. Fields are not asked for: grammars order the named children of a node, and comments,
 * which may stand anywhere, are left out.
 */
export class SyntaxNode {
  /** The grammar's name of the node; `ERROR` around what could not be parsed. */
  readonly type: string;
  /** Offset of the first character in the text. */
  readonly start: number;
  /** Offset behind the last character. */
  readonly end: number;
  readonly parent: SyntaxNode | null;
  readonly #source: SyntaxSource;
  readonly #id: NodeId;
  #children: readonly SyntaxNode[] | null = null;

  constructor(parent: SyntaxNode | null, source: SyntaxSource, id: NodeId) {
    this.type = source.tree.kind(id);
    this.start = source.tree.start(id);
    this.end = source.tree.end(id);
    this.parent = parent;
    this.#source = source;
    this.#id = id;
  }

  /** As written. */
  get text(): string {
    return this.#source.text.slice(this.start, this.end);
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
    const { children } = this;
    return children[children.length - 1] ?? null;
  }

  #read(): readonly SyntaxNode[] {
    const { tree } = this.#source;
    const end = tree.next(this.#id);
    let child = this.#id + 1;
    if (child === end) return NO_CHILDREN;
    const children: SyntaxNode[] = [];
    for (; child < end; child = tree.next(child)) children.push(new SyntaxNode(this, this.#source, child));
    return children;
  }
}

/** One parsed text: its nodes' shared ground, and where offsets stand in it. */
export class SyntaxSource extends SourceText {
  readonly tree: SyntaxTree;
  readonly root: SyntaxNode;

  constructor(text: string, tree: Tree) {
    super(text);
    this.tree = new SyntaxTree(text, tree, RULES);
    this.root = new SyntaxNode(null, this, 0);
  }

  /** The column of an offset, from 0, in UTF-16 units. */
  columnOf(offset: number): number {
    return this.column(offset, this.line(offset));
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
