import { Parser, type Tree } from 'web-tree-sitter';
import { WasmMemory } from './web-assembly.js';

/**
 * Reading trees where they lie, in the memory of web-tree-sitter. Its own nodes and cursors pack four or five numbers
 * before every look and unpack as many behind it, one call for each number. What we
 * use of its inside is in {@link Library}; the version that has it is pinned.
 */

/** Functions of the module that the library runs in: what they are told and say passes through one buffer. */
interface Library {
  /** Makes the buffer. */
  _ts_init(): number;
  /** Leaves a tree's root in the buffer. */
  _ts_tree_root_node_wasm(tree: number): void;
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
  library._ts_init();
  return {
    root: library._ts_tree_root_node_wasm,
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
