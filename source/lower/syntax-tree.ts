import type { Language as Grammar, Tree } from 'web-tree-sitter';
import { readTree } from '../tree-reader.js';

/** A node of a {@link SyntaxTree}: its place in the order of the text, parents before children. */
export type NodeId = number;

/** No node. */
export const NONE: NodeId = -1;

/**
 * Nodes below this depth are dropped, and told as errors: what is deeper is generated or hostile, and passes over the
 * tree recurse.
 */
const DEEPEST = 400;

/**
 * The named nodes of one file's tree, read in one walk, as columns of numbers. Nodes are numbered in the order of the text, so that the nodes inside of one follow it.
 * Punctuation is left out, but for the tokens that a language asks for where they are a field of their parent; comments stand in a list of their own.
 */
export class SyntaxTree {
  #kinds: Uint16Array;
  #fields: Uint8Array;
  #starts: Int32Array;
  #ends: Int32Array;
  /** The first node behind all that are inside of a node. */
  #nexts: Int32Array;
  #count = 0;
  /** Start and end of every comment, one behind the other, in the order of the text. */
  readonly comments: number[] = [];
  /** Offsets where the grammar gave up or missed a token, or where nodes are too deep to be read; ascending. */
  readonly errors: readonly number[];
  readonly #grammar: GrammarNames;
  /** Where nodes were dropped. */
  readonly #dropped = new Set<number>();
  readonly #deepest: number;
  /** The text that was asked for last: most are asked for several times in a row. */
  #lastNode = NONE;
  #lastText = '';

  /**
   * @param rules The same object for all files of a language: what follows from it is made once.
   */
  constructor(
    readonly text: string,
    tree: Tree,
    rules: NodeRules,
  ) {
    this.#grammar = namesOf(tree.language, rules);
    this.#deepest = rules.deepest ?? DEEPEST;
    const size = (text.length >> PER_NODE) + LEAST_NODES;
    this.#kinds = new Uint16Array(size);
    this.#fields = new Uint8Array(size);
    this.#starts = new Int32Array(size);
    this.#ends = new Int32Array(size);
    this.#nexts = new Int32Array(size);
    this.#read(tree);
    const errors = tree.rootNode.hasError ? errorsOf(tree) : [];
    this.errors = this.#dropped.size === 0 ? errors : [...errors, ...this.#dropped].sort((a, b) => a - b);
  }

  /** The number of a node's type among {@link kindNames}. */
  kindId(node: NodeId): number {
    return this.#kinds[node] ?? 0;
  }

  /** A node's type: `identifier`; empty for none. */
  kind(node: NodeId): string {
    return node < 0 ? '' : (this.#grammar.kinds[this.#kinds[node] ?? 0] ?? '');
  }

  /** The names of all types of nodes, by their numbers. */
  get kindNames(): readonly string[] {
    return this.#grammar.kinds;
  }

  /** The field that a node is of its parent; empty for none. */
  field(node: NodeId): string {
    return node < 0 ? '' : (this.#grammar.fields[this.#fields[node] ?? 0] ?? '');
  }

  start(node: NodeId): number {
    return this.#starts[node] ?? 0;
  }

  end(node: NodeId): number {
    return this.#ends[node] ?? 0;
  }

  /** What is written for a node; empty for none. */
  textOf(node: NodeId): string {
    if (node < 0) return '';
    if (node !== this.#lastNode) {
      this.#lastNode = node;
      this.#lastText = this.text.slice(this.#starts[node], this.#ends[node]);
    }
    return this.#lastText;
  }

  /** The first child; {@link NONE} without any. */
  first(node: NodeId): NodeId {
    return node >= 0 && (this.#nexts[node] ?? 0) > node + 1 ? node + 1 : NONE;
  }

  /** The first node behind a node and all that is inside of it: its next sibling, where that is before the parent's. */
  next(node: NodeId): NodeId {
    return this.#nexts[node] ?? 0;
  }

  /** The children of a node. */
  children(node: NodeId): NodeId[] {
    const found: NodeId[] = [];
    if (node < 0) return found;
    const end = this.next(node);
    for (let child = node + 1; child < end; child = this.next(child)) found.push(child);
    return found;
  }

  /** The first child that is of a field; {@link NONE} without any. */
  child(node: NodeId, field: string): NodeId {
    if (node < 0) return NONE;
    const id = this.#grammar.fieldIds.get(field) ?? -1;
    const end = this.next(node);
    for (let child = node + 1; child < end; child = this.next(child))
      if (this.#fields[child] === id) return child;
    return NONE;
  }

  /** The first child of a type; {@link NONE} without any. */
  childOfKind(node: NodeId, kind: string): NodeId {
    if (node < 0) return NONE;
    const end = this.next(node);
    for (let child = node + 1; child < end; child = this.next(child))
      if (this.kind(child) === kind) return child;
    return NONE;
  }

  #read(tree: Tree): void {
    const { treats, leaves, spliced, chains } = this.#grammar;
    const open: NodeId[] = [];
    // Nodes that were passed over do not make the rest any deeper.
    let depth = 0;
    readTree(tree, {
      enter: (symbol, field, start, end) => {
        const treat = symbol < treats.length ? (treats[symbol] ?? SKIP) : ERROR;
        if (treat === SKIP || (treat >= TOKEN && field === 0)) return false;
        if (treat === COMMENT) {
          this.comments.push(start, end);
          return false;
        }
        if (spliced !== null && treat > 0 && treat < TOKEN) {
          const around = open[open.length - 1] ?? 0;
          const isDeep = open.length > DEEP_CHAIN && chains?.has(treat) && this.#kinds[around] === treat;
          if (isDeep || spliced.has(treat)) {
            open.push(around);
            return true;
          }
        }
        if (depth > this.#deepest) {
          this.#dropped.add(start);
          return false;
        }
        const node = this.#count;
        if (node === this.#kinds.length) this.#grow();
        this.#kinds[node] = treat === ERROR ? 0 : treat % TOKEN;
        this.#fields[node] = field;
        this.#starts[node] = start;
        this.#ends[node] = end;
        this.#nexts[node] = node + 1;
        this.#count += 1;
        if (leaves[symbol] === 1) return false;
        depth += 1;
        open.push(node);
        return true;
      },
      leave: () => {
        const node = open.pop() ?? 0;
        // One that was passed over has no node of its own.
        if (open[open.length - 1] === node) return;
        depth -= 1;
        this.#nexts[node] = this.#count;
      },
    });
  }

  #grow(): void {
    const size = this.#kinds.length * 2;
    this.#kinds = grown(this.#kinds, new Uint16Array(size));
    this.#fields = grown(this.#fields, new Uint8Array(size));
    this.#starts = grown(this.#starts, new Int32Array(size));
    this.#ends = grown(this.#ends, new Int32Array(size));
    this.#nexts = grown(this.#nexts, new Int32Array(size));
  }
}

/** What of a tree is read, by the names of types. */
export interface NodeRules {
  /** The types of comments. */
  readonly comments: readonly string[];
  /** Unnamed tokens that are read where they are a field, as written: `&`. */
  readonly tokens?: readonly string[];
  readonly unread?: readonly string[];
  readonly spliced?: readonly string[];
  readonly chains?: readonly string[];
  /** Types of which what is inside is not read: their text is all there is to them. */
  readonly leaves?: readonly string[];
  /** How deep nodes are read, where a language's passes over the tree do not recurse. */
  readonly deepest?: number;
}

/** How deep chains nest before what is inside of one stands in its place. */
const DEEP_CHAIN = 64;

/** A node for every four characters or less, as a shift. */
const PER_NODE = 2;
const LEAST_NODES = 64;

function grown<T extends Uint16Array | Uint8Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** What is known of a grammar: its types have numbers of ours, so that two numbers of one name are one. */
interface GrammarNames {
  /** By our numbers; 0 is `ERROR`. */
  readonly kinds: readonly string[];
  /** By the grammar's numbers. */
  readonly fields: readonly string[];
  readonly fieldIds: ReadonlyMap<string, number>;
  /** By the grammar's number of a type: our number, or how it is treated. */
  readonly treats: Int32Array;
  /** Our numbers of types that are passed over, always or in deep chains; null where none are. */
  readonly spliced: ReadonlySet<number> | null;
  readonly chains: ReadonlySet<number> | null;
  /** 1 by the grammar's number of a type of which what is inside is not read. */
  readonly leaves: Uint8Array;
}

const SKIP = -1;
const COMMENT = -2;
const ERROR = -3;
/** Added to the number of a token, which is read where it is a field of its parent. */
const TOKEN = 1 << 16;

/** A grammar never changes, and asking for its names takes as long as a small file. */
const known = new WeakMap<Grammar, WeakMap<NodeRules, GrammarNames>>();

function namesOf(grammar: Grammar, rules: NodeRules): GrammarNames {
  const byRules = known.get(grammar) ?? new WeakMap<NodeRules, GrammarNames>();
  known.set(grammar, byRules);
  const found = byRules.get(rules);
  if (found) return found;
  const [comments, tokens, unread] = [rules.comments, rules.tokens, rules.unread].map((one) => new Set(one));
  const closed = new Set(rules.leaves);
  const kinds = ['ERROR'];
  const numbers = new Map<string, number>();
  const treats = new Int32Array(grammar.types.length);
  const leaves = new Uint8Array(grammar.types.length);
  for (const [id, kind] of grammar.types.entries()) {
    const isNamed = grammar.nodeTypeIsNamed(id);
    if (comments?.has(kind)) treats[id] = COMMENT;
    else if (unread?.has(kind) || (!isNamed && !tokens?.has(kind))) treats[id] = SKIP;
    else {
      const number = numbers.get(kind) ?? kinds.push(kind) - 1;
      numbers.set(kind, number);
      treats[id] = isNamed ? number : number + TOKEN;
      leaves[id] = isNamed && closed.has(kind) ? 1 : 0;
    }
  }
  const fields = grammar.fields.map((field) => field ?? '');
  const fieldIds = new Map(fields.map((field, id) => [field, id]));
  const numbersOf = (names: readonly string[] = []) =>
    new Set(names.flatMap((name) => numbers.get(name) ?? []));
  const isSplicing = rules.spliced !== undefined || rules.chains !== undefined;
  const spliced = isSplicing ? numbersOf(rules.spliced) : null;
  const made = {
    kinds,
    fields,
    fieldIds,
    treats,
    leaves,
    spliced,
    chains: isSplicing ? numbersOf(rules.chains) : null,
  };
  byRules.set(rules, made);
  return made;
}

/** Walks again, for files with errors only: asking every node would make each file pay. */
function errorsOf(tree: Tree): number[] {
  const offsets: number[] = [];
  const cursor = tree.walk();
  let entered = true;
  for (;;) {
    if (entered) {
      const node = cursor.currentNode;
      if (node.isError || node.isMissing) offsets.push(node.startIndex);
      if (node.hasError && cursor.gotoFirstChild()) continue;
    }
    entered = cursor.gotoNextSibling();
    if (!entered && !cursor.gotoParent()) break;
  }
  cursor.delete();
  return offsets;
}
