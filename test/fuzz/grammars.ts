import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

/** Where the file of a grammar is for a bundle in this folder: beside the build, else in the package that has it. */
export function grammarPath(grammar: string): string {
  const copied = fileURLToPath(new URL(`../../dist/grammars/${grammar}.br`, import.meta.url));
  return existsSync(copied) ? copied : require.resolve(`@vscode/tree-sitter-wasm/wasm/${grammar}`);
}
