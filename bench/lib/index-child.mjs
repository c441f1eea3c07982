// One measured process of bench/index.mjs and bench/growth.mjs: `parse` (the files that a run of the indexer extracts,
// parsed only) or `updates` (a graph that stays open while its files change). Prints one line of JSON.
import { appendFileSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { library, option, p50, timed } from './measure.mjs';

/** The grammar that each extracted language is parsed with. */
const GRAMMARS = {
  typescript: 'tree-sitter-typescript.wasm',
  tsx: 'tree-sitter-tsx.wasm',
  javascript: 'tree-sitter-javascript.wasm',
  jsx: 'tree-sitter-javascript.wasm',
  vue: 'tree-sitter-typescript.wasm',
  python: 'tree-sitter-python.wasm',
};

const EDIT = {
  '.py': (n) => `\n\ndef codewalk_bench_${n}():\n    return ${n}\n`,
  otherwise: (n) => `\nexport function codewalkBench${n}() {\n  return ${n};\n}\n`,
};

const WARM_UP = 2;
const UPDATES = 7;

const [what, root] = process.argv.slice(2);
const extra = {};
let edits = 0;
const milliseconds = await timed(() => ({ parse: parseOnly, updates })[what]());
const { user, system } = process.cpuUsage();
const figures = {
  seconds: milliseconds / 1000,
  cpuSeconds: (user + system) / 1e6,
  // The kernel's figure, in KiB.
  peakMegabytes: process.resourceUsage().maxRSS / 1024,
};
console.log(JSON.stringify({ ...figures, ...extra }));

/** Medians of runs on one open graph: nothing changed, and one file that got one more function each time. */
async function updates() {
  const { openGraph } = await library();
  const graph = await openGraph(root, { home: option('home') });
  const file = option('edit');
  const times = { nothing: [], edit: [], editNamed: [] };
  const everything = async () => graph.spawn('graph_index_project', null, { mode: 'incremental' });
  const named = async () => graph.spawn('graph_update_files', null, { paths: [file] });
  const canName = await named().then(
    () => true,
    (error) => {
      if (error.code === 'WALKER_NOT_FOUND') return false;
      throw error;
    },
  );
  for (let round = 0; round < WARM_UP + UPDATES; round += 1) {
    const edit = () => appendFileSync(join(root, file), (EDIT[extname(file)] ?? EDIT.otherwise)(edits++));
    times.nothing.push(await timed(everything));
    edit();
    times.edit.push(await timed(everything));
    if (!canName) continue;
    edit();
    times.editNamed.push(await timed(named));
  }
  for (const [name, all] of Object.entries(times))
    extra[name] = all.length > 0 ? p50(all.slice(WARM_UP)) : null;
  await graph.close();
}

async function parseOnly() {
  const require = createRequire(import.meta.url);
  const { Language, Parser } = await import('web-tree-sitter');
  await Parser.init();
  // Formats of configuration are read without a grammar.
  const files = JSON.parse(readFileSync(option('files'), 'utf8')).filter(
    ({ language }) => GRAMMARS[language],
  );
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
