import { Parser, type Tree } from 'web-tree-sitter';
import { WasmMemory } from './web-assembly.js';

/**
 * Reading trees where they lie, in the memory of web-tree-sitter. Its own nodes and cursors pack four or five numbers
 * before every look and unpack as many behind it, one call for each number. What we
 * use of its inside is in {@link Library}; the version that has it is pinned.
 */

/** Functions of the module that the library runs in: what they are told and say passes through one buffer. */
interface Library {
  /** The buffer's address. */
  _ts_init(): number;
  _free(address: number): void;
  /** Leaves a tree's root in the buffer. */
  _ts_tree_root_node_wasm(tree: number): void;
  /** Of the node in the buffer: its type, its end; a count and the address of that many nodes, to be freed. */
  _ts_node_symbol_wasm(tree: number): number;
  _ts_node_end_index_wasm(tree: number): number;
  _ts_node_named_children_wasm(tree: number): void;
  /** Puts a cursor in the place of the node in the buffer, where all that follow expect it. */
  _ts_tree_cursor_new_wasm(tree: number): void;
  _ts_tree_cursor_delete_wasm(tree: number): void;
  _ts_tree_cursor_goto_first_child_wasm(tree: number): number;
  _ts_tree_cursor_goto_next_sibling_wasm(tree: number): number;
  _ts_tree_cursor_goto_parent_wasm(tree: number): number;
  _ts_tree_cursor_current_node_type_id_wasm(tree: number): number;
  /** The number of the field that the node is of its parent; 0: none. */
  _ts_tree_cursor_current_field_id_wasm(tree: number): number;
  _ts_tree_cursor_start_index_wasm(tree: number): number;
  _ts_tree_cursor_end_index_wasm(tree: number): number;
}

/** The library keeps one instance per thread, and this is its memory: pages of 64 KiB, as it would make it itself. */
const MEMORY = new WasmMemory({ initial: 512, maximum: 32_768 });

/** What the library is started with becomes its module: its functions are then on it. */
const module = { wasmMemory: MEMORY };

type Calls = ReturnType<typeof callsOf>;

/** The functions that we call, by names of ours. */
function callsOf(library: Library) {
  return {
    /** Where the buffer begins, in numbers of 32 bits. */
    buffer: library._ts_init() >> 2,
    free: library._free,
    root: library._ts_tree_root_node_wasm,
    type: library._ts_node_symbol_wasm,
    end: library._ts_node_end_index_wasm,
    children: library._ts_node_named_children_wasm,
    walk: library._ts_tree_cursor_new_wasm,
    endWalk: library._ts_tree_cursor_delete_wasm,
    toFirstChild: library._ts_tree_cursor_goto_first_child_wasm,
    toNextSibling: library._ts_tree_cursor_goto_next_sibling_wasm,
    toParent: library._ts_tree_cursor_goto_parent_wasm,
    typeHere: library._ts_tree_cursor_current_node_type_id_wasm,
    fieldHere: library._ts_tree_cursor_current_field_id_wasm,
    startHere: library._ts_tree_cursor_start_index_wasm,
    endHere: library._ts_tree_cursor_end_index_wasm,
  };
}

let started: Calls | null = null;

/** Starts the library; once is enough. @throws Error where {@link isLibraryOurs} says no. */
export async function startLibrary(): Promise<void> {
  if (!(await isLibraryOurs()))
    throw new Error('Another program in this thread has started web-tree-sitter.');
  started ??= callsOf(module as unknown as Library);
}

/** Whether trees can be read in this thread: whoever starts the library first has it for as long as the thread lives. */
export async function isLibraryOurs(): Promise<boolean> {
  await Parser.init(module);
  return '_ts_init' in module;
}

/** The memory itself: another one whenever it grew. */
export function libraryBuffer(): ArrayBuffer {
  return MEMORY.buffer;
}

/** Bytes of the memory that all parsers of this thread share: grows with the largest tree, never shrinks. */
export function libraryMemory(): number {
  return MEMORY.buffer.byteLength;
}

function running(): Calls {
  if (started === null) throw new Error('Trees are read before startLibrary() is done.');
  return started;
}

/** The numbers that a node is to the library; `start` is the offset of its first character. */
export interface RawNode {
  readonly id: number;
  readonly start: number;
  readonly row: number;
  readonly column: number;
  readonly other: number;
}

/** What is made of a node: its type's number, then the numbers of a {@link RawNode} in their order. */
export type Take<T> = (
  type: number,
  id: number,
  start: number,
  row: number,
  column: number,
  other: number,
) => T;

/** How many numbers a node is. */
const SIZE = 5;

/** Nodes of one tree, asked one by one. Only valid while the tree lives. */
export class TreeNodes {
  readonly #calls = running();
  readonly #tree: number;
  #memory = new Int32Array(MEMORY.buffer);

  constructor(tree: Tree) {
    this.#tree = addressOf(tree);
  }

  /** Hands the root to `take`. */
  root<T>(take: Take<T>): T {
    this.#calls.root(this.#tree);
    return this.#taken(this.#current(), this.#calls.buffer, take);
  }

  /** The offset behind a node's last character. */
  end({ id, start, row, column, other }: RawNode): number {
    put(this.#current(), this.#calls.buffer, id, start, row, column, other);
    return this.#calls.end(this.#tree);
  }

  /** Hands the named children of a node to `take`, in the order of the text. */
  children({ id, start, row, column, other }: RawNode, take: Take<void>): void {
    const { buffer, children, free } = this.#calls;
    put(this.#current(), buffer, id, start, row, column, other);
    children(this.#tree);
    const memory = this.#current();
    const count = memory[buffer] ?? 0;
    if (count === 0) return;
    const address = memory[buffer + 1] ?? 0;
    for (let index = 0; index < count; index += 1) this.#taken(memory, (address >> 2) + index * SIZE, take);
    free(address);
  }

  #taken<T>(memory: Int32Array, at: number, take: Take<T>): T {
    const id = memory[at] ?? 0;
    const start = memory[at + 1] ?? 0;
    const row = memory[at + 2] ?? 0;
    const column = memory[at + 3] ?? 0;
    const other = memory[at + 4] ?? 0;
    put(memory, this.#calls.buffer, id, start, row, column, other);
    return take(this.#calls.type(this.#tree), id, start, row, column, other);
  }

  /** When memory grows, the view of it is empty from then on. */
  #current(): Int32Array {
    if (this.#memory.length === 0) this.#memory = new Int32Array(MEMORY.buffer);
    return this.#memory;
  }
}

function put(
  memory: Int32Array,
  at: number,
  id: number,
  start: number,
  row: number,
  column: number,
  other: number,
): void {
  memory[at] = id;
  memory[at + 1] = start;
  memory[at + 2] = row;
  memory[at + 3] = column;
  memory[at + 4] = other;
}

/**
 * A walk over one tree from its root. It lies in the library's buffer: until `close` nothing else may be asked of any
 * tree.
 */
export class TreeWalk {
  readonly #calls = running();
  readonly #tree: number;

  constructor(tree: Tree) {
    this.#tree = addressOf(tree);
    this.#calls.root(this.#tree);
    this.#calls.walk(this.#tree);
  }

  /** False where there is none; then the walk stays where it is. */
  toFirstChild(): boolean {
    return this.#calls.toFirstChild(this.#tree) === 1;
  }

  /** As {@link toFirstChild}. */
  toNextSibling(): boolean {
    return this.#calls.toNextSibling(this.#tree) === 1;
  }

  /** As {@link toFirstChild}. */
  toParent(): boolean {
    return this.#calls.toParent(this.#tree) === 1;
  }

  /** The number of the type of the node where the walk is. */
  get type(): number {
    return this.#calls.typeHere(this.#tree);
  }

  /** The number of the field that the node is of its parent; 0: none. */
  get field(): number {
    return this.#calls.fieldHere(this.#tree);
  }

  /** Where that node begins. */
  get start(): number {
    return this.#calls.startHere(this.#tree);
  }

  get end(): number {
    return this.#calls.endHere(this.#tree);
  }

  /** Frees what the walk needed. */
  close(): void {
    this.#calls.endWalk(this.#tree);
  }
}

/** Where the library has a tree. */
export function addressOf(tree: Tree): number {
  return (tree as unknown as { readonly 0: number })[0];
}
