// Indexes projects beside a process that only parses the same files with the same grammars. Each run is a child
// process on a copy of the project and a home of its own, both in a temporary folder.
// Run: npm run build && node bench/index.mjs DIR… [--json] [--rounds 1] [--library FILE]
import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { flag, inScratch, library, option } from './lib/measure.mjs';

const CHILD = fileURLToPath(new URL('lib/index-child.mjs', import.meta.url));
const EDIT = {
  '.py': '\n\ndef codewalk_bench():\n    return 1\n',
  otherwise: '\nexport function codewalkBench() {\n  return 1;\n}\n',
};
/** Left out of the copy: never indexed, and large. */
const NOT_COPIED = new Set(['.git', 'node_modules']);

const { openGraph } = await library();
const rounds = Number(option('rounds', 1));
const projects = [];
for (const folder of folders())
  projects.push(await inScratch('index', (scratch) => measure(folder, scratch)));

if (flag('json')) console.log(JSON.stringify(projects, null, 2));
else for (const project of projects) print(project);

/** The arguments that are neither options nor their values. */
function folders() {
  const given = process.argv.slice(2);
  const named = given.filter((one, i) => !one.startsWith('--') && !isValue(given[i - 1]));
  if (named.length > 0) return named.map((one) => resolve(one));
  throw new Error('which projects? node bench/index.mjs DIR…');
}

function isValue(before) {
  return before === '--rounds' || before === '--library';
}

async function measure(folder, scratch) {
  const root = join(scratch, 'project');
  cpSync(folder, root, { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) });
  const home = join(scratch, 'graphs');
  const list = join(scratch, 'files.json');
  const runs = { full: [], parse: [] };
  for (let round = 0; round < rounds; round += 1) {
    rmSync(home, { recursive: true, force: true });
    mkdirSync(home);
    runs.full.push(child('index', root, { home }));
    if (round === 0) writeFileSync(list, JSON.stringify(await extractedFiles(root, home)));
    runs.parse.push(child('parse', root, { files: list }));
  }
  const full = best(runs.full);
  const parse = best(runs.parse);
  const nothing = child('index', root, { home, mode: 'incremental' });
  const files = await extractedFiles(root, home);
  const edited = files[files.length >> 1].path;
  appendFileSync(join(root, edited), EDIT[extname(edited)] ?? EDIT.otherwise);
  const one = child('index', root, { home, mode: 'incremental' });
  const { files_total, symbols_total, edges_total, bytes_total, problems } = full.output;
  const parsed = { files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
  return {
    project: folder,
    found: { files_total, symbols_total, edges_total, bytes_total, problems: problems.length, parsed },
    edited,
    full: figures(full),
    parseOnly: figures(parse),
    nothingChanged: figures(nothing),
    oneFileEdited: figures(one),
    ratios: {
      time: full.seconds / parse.seconds,
      cpu: full.cpuSeconds / parse.cpuSeconds,
      memory: full.peakMegabytes / parse.peakMegabytes,
    },
  };
}

/** The files that were extracted, smallest first: what a parser alone has to read. */
async function extractedFiles(root, home) {
  const graph = await openGraph(root, { home });
  const { reports } = await graph.spawn('graph_export');
  await graph.close();
  return reports
    .filter(({ kind, extracted }) => kind === 'file' && extracted)
    .map(({ path, language, size_bytes: bytes }) => ({ path, language, bytes }))
    .sort((a, b) => a.bytes - b.bytes || (a.path < b.path ? -1 : 1));
}

/** Runs one measured process and gives what it printed. */
function child(what, root, options) {
  const given = { ...options, ...(option('library') ? { library: option('library') } : {}) };
  const flags = Object.entries(given).flatMap(([name, value]) => [`--${name}`, value]);
  const printed = execFileSync(process.execPath, [CHILD, what, root, ...flags], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(printed);
}

/** The run that took the least processor time: the machine may be busy with something else. */
function best(runs) {
  return runs.reduce((least, run) => (run.cpuSeconds < least.cpuSeconds ? run : least));
}

function figures({ output: _, ...rest }) {
  return rest;
}

function print({ project, found, edited, full, parseOnly, nothingChanged, oneFileEdited, ratios }) {
  const { files_total, symbols_total, edges_total, bytes_total, problems, parsed } = found;
  console.log(
    `${project}: ${files_total} files (${mb(bytes_total)} MB), ${parsed.files} extracted (${mb(parsed.bytes)} MB), ` +
      `${symbols_total} symbols, ${edges_total} edges, ${problems} problems\n`,
  );
  console.log(
    '| run | wall s | CPU s | files/s | MB/s | peak MB | store MB |\n|---|---|---|---|---|---|---|',
  );
  const row = (name, { seconds, cpuSeconds, peakMegabytes, storeMegabytes }, files, bytes) => {
    const speed =
      files === null ? ['', ''] : [Math.round(files / seconds), (bytes / 1e6 / seconds).toFixed(2)];
    const cells = [seconds.toFixed(2), cpuSeconds.toFixed(2), ...speed, Math.round(peakMegabytes)];
    console.log(`| ${[name, ...cells, storeMegabytes?.toFixed(1) ?? ''].join(' | ')} |`);
  };
  row('full index', full, files_total, bytes_total);
  row('parse only', parseOnly, parsed.files, parsed.bytes);
  row('nothing changed', nothingChanged, null, null);
  row(`one file edited (${edited})`, oneFileEdited, null, null);
  console.log(
    `\nindex / parse only: ${ratios.time.toFixed(2)} in time, ${ratios.cpu.toFixed(2)} in CPU time, ${ratios.memory.toFixed(2)} in memory\n`,
  );
}

function mb(bytes) {
  return (bytes / 1e6).toFixed(1);
}
