import { Parser, type Tree } from 'web-tree-sitter';
import { WasmMemory } from './web-assembly.js';

/**
 * The memory of web-tree-sitter, where trees are read as they lie: its own nodes and cursors cross into WebAssembly four
 * or five times for every look. What we use of its inside is here and in `tree-reader.ts`; the version that has it is
 * pinned.
 */

/** The library keeps one instance per thread, and this is its memory: pages of 64 KiB, as it would make it itself. */
const MEMORY = new WasmMemory({ initial: 512, maximum: 32_768 });

/** What the library is started with becomes its module: its functions are then on it. */
const module = { wasmMemory: MEMORY };

/** Starts the library; once is enough. @throws Error where {@link isLibraryOurs} says no. */
export async function startLibrary(): Promise<void> {
  if (!(await isLibraryOurs()))
    throw new Error('Another program in this thread has started web-tree-sitter.');
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

/** Where the library has a tree. */
export function addressOf(tree: Tree): number {
  return (tree as unknown as { readonly 0: number })[0];
}
