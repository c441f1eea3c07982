import type { Tree } from 'web-tree-sitter';
import { addressOf, libraryBuffer } from './tree-memory.js';

/**
 * Reading a whole tree out of the memory of web-tree-sitter without a call into it: a tenth of the time that a cursor
 * takes, which needs five crossings into WebAssembly for each node. What we know of its structures (`subtree.h` and
 * `parser.h` of tree-sitter, for 32-bit addresses) is written down here and nowhere else; the version is pinned, and a
 * test compares every node with what a cursor says.
 */

/** Takes the visible nodes of a tree in the order of the text, parents before children. */
export interface NodeSink {
  /**
   * A node, named or not.
   *
   * @param symbol The number of its type.
   * @param field The number of the field that it is of its parent; 0: none.
   * @param start The offset of its first character.
   * @param end The offset behind its last one.
   * @returns whether its children are wanted
   */
  enter(symbol: number, field: number, start: number, end: number): boolean;
  /** What a node's children were wanted of has no more of them. */
  leave(): void;
}

/** Offsets in `SubtreeHeapData`, and what of it a small leaf has in its own eight bytes. */
const PADDING = 4;
const SIZE = 16;
const CHILD_COUNT = 36;
const SYMBOL = 40;
const FLAGS = 44;
const PRODUCTION = 66;
const SUBTREE_BYTES = 8;

/** Bits of the flags; in a small leaf they stand one higher, above the bit that says that it is one. */
const VISIBLE = 1;
const EXTRA = 4;

/** Offsets in `TSLanguage`. */
const ALIAS_LENGTH = 36;
const FIELD_SLICES = 64;
const FIELD_ENTRIES = 68;
const PUBLIC_SYMBOLS = 76;
const ALIAS_SEQUENCES = 84;

/** The symbol of errors, which no language lists. */
const ERROR = 65_535;

/** Hands all visible nodes of a tree to `sink`. */
export function readTree(tree: Tree, sink: NodeSink): void {
  const buffer = libraryBuffer();
  const bytes = new Uint8Array(buffer);
  const shorts = new Uint16Array(buffer);
  const words = new Uint32Array(buffer);
  const root = addressOf(tree);
  const language = words[(root + SUBTREE_BYTES) >> 2] ?? 0;
  const aliasLength = shorts[(language + ALIAS_LENGTH) >> 1] ?? 0;
  const aliases = (words[(language + ALIAS_SEQUENCES) >> 2] ?? 0) >> 1;
  const slices = (words[(language + FIELD_SLICES) >> 2] ?? 0) >> 1;
  const entries = words[(language + FIELD_ENTRIES) >> 2] ?? 0;
  const symbols = (words[(language + PUBLIC_SYMBOLS) >> 2] ?? 0) >> 1;
  const publicSymbol = (symbol: number) => (symbol >= ERROR - 1 ? symbol : (shorts[symbols + symbol] ?? 0));

  /*
   * The subtrees that are open, one behind the other, and what is known of each while its children are read. A list and
   * no recursion: chains are as deep as they are long.
   */
  const open: OpenSubtree[] = [];
  let depth = -1;
  /** Opens a subtree on the heap that begins at a byte; of a hidden one the children stand in its place. */
  const enter = (subtree: number, begins: number, outer: number, isVisible: boolean): void => {
    const production = shorts[(subtree + PRODUCTION) >> 1] ?? 0;
    const slice = slices + production * 2;
    const count = words[(subtree + CHILD_COUNT) >> 2] ?? 0;
    const firstEntry = shorts[slice] ?? 0;
    depth += 1;
    const one = open[depth] ?? newSubtree();
    open[depth] = one;
    one.at = subtree - count * SUBTREE_BYTES;
    one.end = subtree;
    one.sequence = production === 0 ? 0 : aliases + production * aliasLength;
    one.firstEntry = firstEntry;
    one.lastEntry = firstEntry + (shorts[slice + 1] ?? 0);
    one.structural = 0;
    one.position = begins;
    one.outer = outer;
    one.isFirst = true;
    one.isVisible = isVisible;
  };

  const walk = (): void => {
    while (depth >= 0) {
      const one = open[depth] as OpenSubtree;
      const { at } = one;
      if (at >= one.end) {
        depth -= 1;
        if (one.isVisible) sink.leave();
        continue;
      }
      one.at = at + SUBTREE_BYTES;
      const child = words[at >> 2] ?? 0;
      const isSmall = (child & 1) === 1;
      const flags = isSmall ? (bytes[at] ?? 0) >> 1 : (bytes[child + FLAGS] ?? 0);
      const padding = isSmall ? (bytes[at + 6] ?? 0) : (words[(child + PADDING) >> 2] ?? 0);
      const size = isSmall ? (bytes[at + 7] ?? 0) : (words[(child + SIZE) >> 2] ?? 0);
      const position = one.isFirst ? one.position : one.position + padding;
      one.isFirst = false;
      one.position = position + size;
      let alias = 0;
      let field = 0;
      if ((flags & EXTRA) === 0) {
        const { structural } = one;
        if (one.sequence !== 0) alias = shorts[one.sequence + structural] ?? 0;
        field = one.outer;
        for (let entry = one.firstEntry; entry < one.lastEntry; entry += 1) {
          const address = entries + entry * 4;
          // The third byte says which child, the fourth whether the field is one of what is in it.
          if (bytes[address + 2] === structural && bytes[address + 3] === 0) {
            field = shorts[address >> 1] ?? 0;
            break;
          }
        }
        one.structural = structural + 1;
      }
      const hasChildren = !isSmall && (words[(child + CHILD_COUNT) >> 2] ?? 0) > 0;
      if ((flags & VISIBLE) !== 0 || alias !== 0) {
        const own = isSmall ? (bytes[at + 1] ?? 0) : (shorts[(child + SYMBOL) >> 1] ?? 0);
        const symbol = publicSymbol(alias || own);
        if (!sink.enter(symbol, field, position >> 1, (position + size) >> 1)) continue;
        if (hasChildren) enter(child, position, 0, true);
        else sink.leave();
      } else if (hasChildren) enter(child, position, field, false);
    }
  };

  const top = words[root >> 2] ?? 0;
  // A text of a few blanks has a root that is a small leaf.
  const isSmall = (top & 1) === 1;
  const start = isSmall ? (bytes[root + 6] ?? 0) : (words[(top + PADDING) >> 2] ?? 0);
  const size = isSmall ? (bytes[root + 7] ?? 0) : (words[(top + SIZE) >> 2] ?? 0);
  const own = isSmall ? (bytes[root + 1] ?? 0) : (shorts[(top + SYMBOL) >> 1] ?? 0);
  if (!sink.enter(publicSymbol(own), 0, start >> 1, (start + size) >> 1)) return;
  if (isSmall) sink.leave();
  else {
    enter(top, start, 0, true);
    walk();
  }
}

/** A subtree while its children are read. */
interface OpenSubtree {
  /** Where its next child lies, and where the last one ends. */
  at: number;
  end: number;
  /** Where the names that its children have instead of their own lie; 0 for none. */
  sequence: number;
  /** The fields of its children. */
  firstEntry: number;
  lastEntry: number;
  /** How many children came that are part of the rule: comments are not. */
  structural: number;
  /** The byte of the text where the last child ended. */
  position: number;
  /** The field that children have without one of their own: that of a hidden subtree. */
  outer: number;
  isFirst: boolean;
  isVisible: boolean;
}

function newSubtree(): OpenSubtree {
  return {
    at: 0,
    end: 0,
    sequence: 0,
    firstEntry: 0,
    lastEntry: 0,
    structural: 0,
    position: 0,
    outer: 0,
    isFirst: true,
    isVisible: true,
  };
}
