// What it takes to parse and extract the files of each language that projects hold, per megabyte of source, beside parsing them
// alone with the same grammar in the same process. Rounds alternate; the least of each counts.
// Run: npm run build && node bench/languages.mjs DIR… [--rounds 3] [--json]
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { flag, libraryFile, option, timed } from './lib/measure.mjs';

/** Files that are larger are generated. */
const MOST_BYTES = 500_000;
/** Megabytes of a language that are enough. */
const ENOUGH = 4;

const require = createRequire(import.meta.url);
const dist = dirname(libraryFile());
const { createParser, languageOf } = await import(join(dist, 'source.js'));
const { Language, Parser } = await import('web-tree-sitter');

const rounds = Number(option('rounds', 3));
const folders = process.argv
  .slice(2)
  .filter((one, at, all) => !one.startsWith('--') && all[at - 1] !== '--rounds');
if (folders.length === 0) throw new Error('which projects? node bench/languages.mjs DIR…');

const rows = [];
for (const [language, files] of byLanguage()) rows.push(await measured(language, files));
if (flag('json')) console.log(JSON.stringify(rows, null, 2));
else
  for (const { name, files, megabytes, parse, extract, ratio } of rows)
    console.log(
      `${name.padEnd(12)} ${String(files).padStart(5)} files ${megabytes.toFixed(2).padStart(6)} MB` +
        `   parse ${parse.toFixed(0).padStart(5)} ms/MB   parse and extract ${extract.toFixed(0).padStart(5)} ms/MB   ${ratio.toFixed(2)} x`,
    );

/** The texts of the projects' files that git knows, by language. */
function byLanguage() {
  const all = new Map();
  for (const folder of folders)
    for (const path of execFileSync('git', ['ls-files', '-z'], {
      cwd: resolve(folder),
      encoding: 'utf8',
    }).split('\0')) {
      const file = join(folder, path);
      const language = path === '' ? null : languageOf(path);
      if (!language?.grammar || !existsSync(file) || !statSync(file).isFile()) continue;
      const text = readFileSync(file, 'utf8');
      if (text.length > MOST_BYTES) continue;
      const known = all.get(language) ?? { files: [], bytes: 0 };
      all.set(language, known);
      if (known.bytes > ENOUGH * 1e6) continue;
      known.files.push({ path, text });
      known.bytes += Buffer.byteLength(text);
    }
  return all;
}

async function measured(language, { files, bytes }) {
  const parser = await createParser([language]);
  const bare = new Parser();
  const grammars = new Map();
  for (const name of [language.grammar, language.otherGrammar?.grammar])
    if (name) grammars.set(name, await Language.load(grammarAt(name)));
  const grammarOf = ({ path, text }) =>
    language.otherGrammar?.reads(text, path) ? language.otherGrammar.grammar : language.grammar;
  const of = files.map((file) => ({ ...file, grammar: grammars.get(grammarOf(file)) }));
  const times = { parse: [], extract: [] };
  // The first round warms both up.
  for (let round = 0; round <= rounds; round += 1) {
    const parse = await timed(() => {
      for (const { text, grammar } of of) {
        bare.setLanguage(grammar);
        bare.parse(text).delete();
      }
    });
    const extract = await timed(() => {
      for (const { path, text } of of) parser.extractFile(path, text);
    });
    if (round > 0) {
      times.parse.push(parse);
      times.extract.push(extract);
    }
  }
  parser.delete();
  bare.delete();
  const megabytes = bytes / 1e6;
  const [parse, extract] = [times.parse, times.extract].map((all) => Math.min(...all) / megabytes);
  return { name: language.name, files: of.length, megabytes, parse, extract, ratio: extract / parse };
}

/** A grammar as the package holds it. */
function grammarAt(name) {
  const copied = join(dist, 'grammars', `${name}.br`);
  if (existsSync(copied)) return brotliDecompressSync(readFileSync(copied));
  return require.resolve(`@vscode/tree-sitter-wasm/wasm/${name}`);
}
