// What bench/index.mjs and bench/growth.mjs share: our indexer and a bare parser as watched processes.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { library, libraryFile, option } from './measure.mjs';
import { watched } from './process-tree.mjs';

const CHILD = fileURLToPath(new URL('index-child.mjs', import.meta.url));

/**
 * Runs `codewalk index` on a project that has no graph yet, as anybody would: its answer, and what was seen of it.
 *
 * @param dist The folder of the build.
 */
export async function indexed(root, home, dist = dirname(libraryFile())) {
  const cli = join(dist, 'cli.js');
  const env = { ...process.env, GRAPHS_HOME: home };
  const run = await watched(
    process.execPath,
    [cli, 'index', root, '--json', '--embedded', '--deadline', '7200'],
    { env },
  );
  return {
    seconds: run.seconds,
    cpuSeconds: run.treeCpuSeconds,
    peakMegabytes: run.treeMegabytes,
    storeMegabytes: bytesUnder(home) / 1e6,
    output: JSON.parse(run.stdout),
  };
}

function bytesUnder(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/** Runs one measured process and gives what it printed, with what was seen of it from outside. */
export async function child(what, root, options) {
  const given = { ...options, ...(option('library') ? { library: option('library') } : {}) };
  const flags = Object.entries(given).flatMap(([name, value]) => [`--${name}`, value]);
  const { stdout, treeMegabytes } = await watched(process.execPath, [CHILD, what, root, ...flags]);
  const { peakMegabytes, ...printed } = JSON.parse(stdout);
  return { ...printed, peakMegabytes: Math.max(peakMegabytes, treeMegabytes ?? 0) };
}

/** Writes the list of the files that were extracted, smallest first: what a parser alone has to read. */
export async function listExtracted(root, home, scratch) {
  const { openGraph } = await library();
  const graph = await openGraph(root, { home });
  const { reports } = await graph.spawn('graph_export');
  await graph.close();
  const files = reports
    .filter(({ kind, extracted }) => kind === 'file' && extracted)
    .map(({ path, language, size_bytes: bytes }) => ({ path, language, bytes }))
    .sort((a, b) => a.bytes - b.bytes || (a.path < b.path ? -1 : 1));
  const list = join(scratch, 'files.json');
  writeFileSync(list, JSON.stringify(files));
  return { list, files };
}

const WRONG = /INTERNAL|WALKER_KILLED|Maximum call stack|Segmentation/;

/**
 * Indexes a project of these texts, by their paths, as anybody would.
 *
 * @param limit Processor seconds after which it is ended.
 * @returns processor seconds; what went wrong, or nothing; and the first line of what the index says it left out
 */
export function limitedIndex(scratch, texts, limit) {
  const [root, home] = [join(scratch, 'project'), join(scratch, 'graphs')];
  for (const folder of [root, home]) rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(root, '.git'), { recursive: true });
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const cli = join(dirname(libraryFile()), 'cli.js');
  // The shell knows what the process took, whatever became of it.
  const script = `ulimit -t ${limit}; "$@"; code=$?; times >&2; exit $code`;
  const { status, signal, stdout, stderr } = spawnSync(
    'sh',
    ['-c', script, 'sh', process.execPath, cli, '--embedded', 'index', root],
    { env: { ...process.env, GRAPHS_HOME: home }, encoding: 'utf8' },
  );
  const said = `${stdout}\n${stderr}`;
  const wrong = WRONG.exec(said)?.[0] ?? (status === 0 ? '' : `ended with ${signal ?? status}`);
  const [user = 0, system = 0] = stderr
    .trimEnd()
    .slice(stderr.trimEnd().lastIndexOf('\n') + 1)
    .split(' ')
    .map(secondsOf);
  const told = /^.*(?:too-slow|too-complex|parse-failed|PARSE_FAILED).*$/m.exec(said)?.[0].trim() ?? '';
  return { seconds: user + system, wrong, told };
}

/** `1m2.34s` as `times` of a shell has it. */
function secondsOf(text) {
  const [, minutes = 0, seconds = 0] = /^(\d+)m([\d.]+)s$/.exec(text) ?? [];
  return Number(minutes) * 60 + Number(seconds);
}

/** The run that took the least processor time: the machine may be busy with something else. */
export function best(runs) {
  return runs.reduce((least, run) => (run.cpuSeconds < least.cpuSeconds ? run : least));
}

/** A line of a Markdown table. */
export function row(cells) {
  return `| ${cells.map((cell) => (typeof cell === 'number' ? cell.toFixed(2) : (cell ?? ''))).join(' | ')} |`;
}
