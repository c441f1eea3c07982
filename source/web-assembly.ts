/** The part of WebAssembly that we use: Node has it, and its types leave it out. */
interface WebAssemblyPart {
  Memory: new (pages: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
  RuntimeError: new () => Error;
}

const { WebAssembly } = globalThis as unknown as { WebAssembly: WebAssemblyPart };

/** Memory that a module runs in, in pages of 64 KiB. */
export const WasmMemory = WebAssembly.Memory;
/** What a trap throws; what the module's memory holds afterwards is beyond trust. */
export const WasmTrap = WebAssembly.RuntimeError;
