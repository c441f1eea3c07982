// One measured process of bench/index.mjs: `index` (a run of the indexer) or `parse` (the same files, parsed only).
// Prints one line of JSON.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { library, option, timed } from './measure.mjs';

/** The grammar that each extracted language is parsed with. */
const GRAMMARS = {
  typescript: 'tree-sitter-typescript.wasm',
  tsx: 'tree-sitter-tsx.wasm',
  javascript: 'tree-sitter-javascript.wasm',
  jsx: 'tree-sitter-javascript.wasm',
  python: 'tree-sitter-python.wasm',
};

const [what, root] = process.argv.slice(2);
const extra = {};
const milliseconds = await timed(() => (what === 'parse' ? parseOnly() : index()));
const { user, system } = process.cpuUsage();
const figures = {
  seconds: milliseconds / 1000,
  cpuSeconds: (user + system) / 1e6,
  // The kernel's figure, in KiB.
  peakMegabytes: process.resourceUsage().maxRSS / 1024,
};
console.log(JSON.stringify({ ...figures, ...extra }));

async function index() {
  const { openGraph } = await library();
  const graph = await openGraph(root, { home: option('home') });
  const { output } = await graph.spawn('graph_index_project', null, { mode: option('mode', 'full') });
  extra.output = output;
  const { derived, durable } = await graph.sizeOnDisk();
  extra.storeMegabytes = (derived + durable) / 1e6;
  await graph.close();
}

async function parseOnly() {
  const require = createRequire(import.meta.url);
  const { Language, Parser } = await import('web-tree-sitter');
  await Parser.init();
  const files = JSON.parse(readFileSync(option('files'), 'utf8'));
  const grammars = {};
  for (const { language } of files)
    grammars[language] ??= await Language.load(
      require.resolve(`@vscode/tree-sitter-wasm/wasm/${GRAMMARS[language]}`),
    );
  const parser = new Parser();
  for (const { path, language } of files) {
    parser.setLanguage(grammars[language]);
    parser.parse(readFileSync(join(root, path), 'utf8')).delete();
  }
}
