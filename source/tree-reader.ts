import type { Tree } from 'web-tree-sitter';
import { addressOf, libraryBuffer } from './tree-memory.js';

/**
 * Reading a whole tree out of the memory of web-tree-sitter without a call into it: a cursor needs five crossings into
 * WebAssembly for each node. What we know of its structures (`subtree.h` and
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

/** How many numbers are remembered of a level. */
const LEVEL = 10;

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

  // What is left to read of each level above, one behind the other: a recursion would be as deep as the tree, and a sum is as
  // deep as it is long.
  const levels: number[] = [];
  let depth = 0;
  /** How many children the level has, which is next, and where it stands; the field that hidden nodes around it are of. */
  let count = 0;
  let index = 0;
  let at = 0;
  let outer = 0;
  let structural = 0;
  let position = 0;
  let sequence = 0;
  let firstEntry = 0;
  let lastEntry = 0;
  let isVisible = false;

  /** Goes on with the children of a subtree on the heap that begins at a byte; hidden ones are passed over, what is in them is not. */
  const open = (subtree: number, begins: number, field: number, visible: boolean): void => {
    levels[depth] = count;
    levels[depth + 1] = index;
    levels[depth + 2] = at;
    levels[depth + 3] = outer;
    levels[depth + 4] = structural;
    levels[depth + 5] = position;
    levels[depth + 6] = sequence;
    levels[depth + 7] = firstEntry;
    levels[depth + 8] = lastEntry;
    levels[depth + 9] = isVisible ? 1 : 0;
    depth += LEVEL;
    count = words[(subtree + CHILD_COUNT) >> 2] ?? 0;
    const production = shorts[(subtree + PRODUCTION) >> 1] ?? 0;
    sequence = production === 0 ? 0 : aliases + production * aliasLength;
    const slice = slices + production * 2;
    firstEntry = shorts[slice] ?? 0;
    lastEntry = firstEntry + (shorts[slice + 1] ?? 0);
    index = 0;
    structural = 0;
    position = begins;
    at = subtree - count * SUBTREE_BYTES;
    outer = field;
    isVisible = visible;
  };

  const close = (): void => {
    depth -= LEVEL;
    count = levels[depth] ?? 0;
    index = levels[depth + 1] ?? 0;
    at = levels[depth + 2] ?? 0;
    outer = levels[depth + 3] ?? 0;
    structural = levels[depth + 4] ?? 0;
    position = levels[depth + 5] ?? 0;
    sequence = levels[depth + 6] ?? 0;
    firstEntry = levels[depth + 7] ?? 0;
    lastEntry = levels[depth + 8] ?? 0;
    isVisible = levels[depth + 9] === 1;
  };

  const children = (): void => {
    while (depth > 0) {
      if (index === count) {
        if (isVisible) sink.leave();
        close();
        continue;
      }
      const child = words[at >> 2] ?? 0;
      const isSmall = (child & 1) === 1;
      const flags = isSmall ? (bytes[at] ?? 0) >> 1 : (bytes[child + FLAGS] ?? 0);
      const padding = isSmall ? (bytes[at + 6] ?? 0) : (words[(child + PADDING) >> 2] ?? 0);
      const size = isSmall ? (bytes[at + 7] ?? 0) : (words[(child + SIZE) >> 2] ?? 0);
      if (index > 0) position += padding;
      let alias = 0;
      let field = 0;
      if ((flags & EXTRA) === 0) {
        if (sequence !== 0) alias = shorts[sequence + structural] ?? 0;
        field = outer;
        for (let entry = firstEntry; entry < lastEntry; entry += 1) {
          const address = entries + entry * 4;
          // The third byte says which child, the fourth whether the field is one of what is in it.
          if (bytes[address + 2] === structural && bytes[address + 3] === 0) {
            field = shorts[address >> 1] ?? 0;
            break;
          }
        }
        structural += 1;
      }
      const hasChildren = !isSmall && (words[(child + CHILD_COUNT) >> 2] ?? 0) > 0;
      const begins = position;
      const own = isSmall ? (bytes[at + 1] ?? 0) : (shorts[(child + SYMBOL) >> 1] ?? 0);
      position += size;
      index += 1;
      at += SUBTREE_BYTES;
      if ((flags & VISIBLE) !== 0 || alias !== 0) {
        if (sink.enter(publicSymbol(alias || own), field, begins >> 1, (begins + size) >> 1)) {
          if (hasChildren) open(child, begins, 0, true);
          else sink.leave();
        }
      } else if (hasChildren) open(child, begins, field, false);
    }
  };

  const top = words[root >> 2] ?? 0;
  // A text of a few blanks has a root that is a small leaf.
  const isSmall = (top & 1) === 1;
  const start = isSmall ? (bytes[root + 6] ?? 0) : (words[(top + PADDING) >> 2] ?? 0);
  const size = isSmall ? (bytes[root + 7] ?? 0) : (words[(top + SIZE) >> 2] ?? 0);
  const own = isSmall ? (bytes[root + 1] ?? 0) : (shorts[(top + SYMBOL) >> 1] ?? 0);
  if (!sink.enter(publicSymbol(own), 0, start >> 1, (start + size) >> 1)) return;
  if (!isSmall) open(top, start, 0, false);
  children();
  sink.leave();
}
