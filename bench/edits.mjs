// Random edits of a copy of a project, each followed by graph_update_files: after every few the export has to be, byte
// for byte, that of a first index of the same files. Now and then the graph is closed and opened again.
// Run: npm run build && node bench/edits.mjs DIR [--edits 100] [--seed 1] [--every 10] [--library FILE]
import { cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { generator, inScratch, library, option } from './lib/measure.mjs';
import { randomEdit } from './lib/random-edits.mjs';

const { openGraph } = await library();
const given = process.argv[2];
if (given === undefined || given.startsWith('--')) throw new Error('which project? node bench/edits.mjs DIR');
const edits = Number(option('edits', 100));
const seed = Number(option('seed', 1));
const every = Number(option('every', 10));
/** Left out of the copy: never indexed, and large. */
const NOT_COPIED = new Set(['.git', 'node_modules']);
const TEXT =
  /\.(?:[cm]?[jt]sx?|pyi?|go|java|php|rs|rb|kts?|scala|sc|swift|dart|lua|c|h|cc|cpp|hpp|cs|sh|bash)$/;
/** Lines that are shown where two exports differ. */
const SHOWN = 12;

const differing = await inScratch('edits', run);
process.exitCode = differing > 0 ? 1 : 0;

async function run(scratch) {
  const root = join(scratch, 'project');
  cpSync(realpathSync(given), root, { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) });
  const home = join(scratch, 'graphs');
  const files = new Map(textsIn(root));
  const gone = new Map();
  const random = generator(seed);
  let graph = await openGraph(root, { home });
  await graph.spawn('graph_index_project');
  const done = [];
  const times = [];
  const resolvedFiles = [];
  let wrong = 0;
  for (let step = 1; step <= edits; step += 1) {
    const { what, changes } = randomEdit(files, gone, random, step);
    done.push(`${step} ${what} ${[...changes.keys()].slice(0, 4).join(' ')}`);
    apply(root, files, gone, changes);
    if (random() < 0.1) {
      await graph.close();
      graph = await openGraph(root, { home });
    }
    const started = performance.now();
    const { output } = await graph.spawn('graph_update_files', null, { paths: asked(root, changes, random) });
    times.push(performance.now() - started);
    resolvedFiles.push(output.files_resolved);
    if (output.scope !== 'files') console.log(`${step} ${output.why}`);
    if (step % every !== 0 && step !== edits) continue;
    const difference = lineDifference(
      await exportOf(graph),
      await freshExport(root, join(scratch, `fresh${step}`)),
    );
    if (difference.length > 0) {
      wrong += 1;
      console.log(
        `DIFFERENT after edit ${step}: ${difference.length} lines\n${difference.slice(0, SHOWN).join('\n')}`,
      );
      console.log(done.slice(-every).join('\n'));
      await graph.spawn('graph_index_project', null, { mode: 'full' });
      const mended = lineDifference(
        await exportOf(graph),
        await freshExport(root, join(scratch, `again${step}`)),
      );
      console.log(`after a full run: ${mended.length} lines`);
      rmSync(join(scratch, 'graphs'), { recursive: true, force: true });
      await graph.close();
      graph = await openGraph(root, { home });
      await graph.spawn('graph_index_project');
    }
  }
  await graph.close();
  const sorted = times.sort((a, b) => a - b);
  const at = (share) => sorted[Math.floor(sorted.length * share)].toFixed(0);
  const mean = resolvedFiles.reduce((sum, number) => sum + number, 0) / resolvedFiles.length;
  console.log(
    `${basename(resolve(given))}, seed ${seed}: ${edits} edits, ${wrong} comparisons differ; ` +
      `an update takes ${at(0.5)} ms (median), ${at(0.9)} ms (9 of 10); resolves ${mean.toFixed(1)} of ${files.size} files`,
  );
  return wrong;
}

function* textsIn(root, folder = '') {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* textsIn(root, path);
    else if (entry.isFile() && TEXT.test(path)) yield [path, readFileSync(join(root, path), 'utf8')];
  }
}

function apply(root, files, gone, changes) {
  for (const [path, text] of changes) {
    const disk = join(root, path);
    if (text === null) {
      gone.set(path, files.get(path));
      files.delete(path);
      rmSync(disk, { force: true });
    } else {
      files.set(path, text);
      mkdirSync(dirname(disk), { recursive: true });
      writeFileSync(disk, text);
    }
  }
}

/** The changed paths, some of them absolute, or the folders that they are in. */
function asked(root, changes, random) {
  const paths = [...changes.keys()].map((path) => (random() < 0.3 ? join(root, path) : path));
  return random() < 0.9 ? paths : [...new Set([...changes.keys()].map((path) => dirname(path)))];
}

async function freshExport(root, home) {
  const graph = await openGraph(root, { home });
  await graph.spawn('graph_index_project');
  const text = await exportOf(graph);
  await graph.close();
  rmSync(home, { recursive: true, force: true });
  return text;
}

async function exportOf(graph) {
  const { reports } = await graph.spawn('graph_export');
  return reports.map((line) => JSON.stringify(line));
}

function lineDifference(is, fresh) {
  const [have, want] = [new Set(is), new Set(fresh)];
  return [
    ...is.filter((line) => !want.has(line)).map((line) => `- ${line.slice(0, 220)}`),
    ...fresh.filter((line) => !have.has(line)).map((line) => `+ ${line.slice(0, 220)}`),
  ];
}
