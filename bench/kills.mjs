// Kills the process that indexes a copy of a project, at random moments of a first index and of updates. After each
// kill the graph has to open and to say whether it is whole; the next run has to complete it, so that its export is,
// byte for byte, that of a first index; and what was recorded about files has to be as it was.
// Run: npm run build && node bench/kills.mjs DIR [--kills 30] [--seed 1] [--library FILE]
import { spawn } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generator, inScratch, library, option } from './lib/measure.mjs';

const CHILD = fileURLToPath(new URL('lib/kill-child.mjs', import.meta.url));
const { defineEdge, defineNode, openGraph } = await library();
const given = process.argv[2];
if (given === undefined || given.startsWith('--')) throw new Error('which project? node bench/kills.mjs DIR');
const kills = Number(option('kills', 30));
const random = generator(Number(option('seed', 1)));
const NOT_COPIED = new Set(['.git', 'node_modules']);
const Note = defineNode('BenchNote', {}, { layer: 'durable', doc: 'Something recorded about files.' });
const About = defineEdge('BenchAbout', {}, { layer: 'durable', doc: 'What a note is about.' });

process.exitCode = (await inScratch('kills', run)) > 0 ? 1 : 0;

async function run(scratch) {
  const root = join(scratch, 'project');
  cpSync(resolve(given), root, { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) });
  const home = join(scratch, 'graphs');
  const typical = { index: 0, update: 0 };
  const counts = { index: 0, update: 0, ended: 0, incomplete: 0, whole: 0, absent: 0, wrong: 0 };
  // The first two runs are not killed: they tell how long one takes.
  for (let turn = -2; counts.index + counts.update < kills; turn += 1) {
    const kind = turn % 2 === 0 ? 'index' : 'update';
    if (kind === 'index') rmSync(home, { recursive: true, force: true });
    await recorded(root, home, kind);
    const before = await durable(root, home);
    const paths = kind === 'update' ? await edited(root, home, turn) : [];
    const limit = turn < 0 ? null : random() * typical[kind] * 1.05;
    const { killed, milliseconds } = await child(root, home, paths, limit);
    if (!killed) typical[kind] = milliseconds;
    if (turn >= 0) counts[killed ? kind : 'ended'] += 1;
    const graph = await openGraph(root, { home, archetypes: [Note, About] });
    const state = await stateOf(graph);
    if (killed) counts[state] += 1;
    await graph.spawn('graph_index_project', null, { mode: 'incremental' });
    const [made, fresh] = [await exportOf(graph), await freshExport(root, join(scratch, 'fresh'))];
    const same = made === fresh;
    const kept = (await exportOf(graph, 'durable')) === before;
    await graph.close();
    if (same && kept && (await isWhole(root, home))) continue;
    counts.wrong += 1;
    console.log(`WRONG: ${kind} killed after ${limit} ms, then ${state}: export ${same}, traces ${kept}`);
    for (const [sign, line] of differences(made, fresh)) console.log(`  ${sign} ${line.slice(0, 500)}`);
  }
  console.log(
    `${basename(resolve(given))}: killed ${counts.index} times in a first index (${typical.index.toFixed(0)} ms long) and ` +
      `${counts.update} times in an update (${typical.update.toFixed(0)} ms), ${counts.ended} had ended. Then the graph said: ` +
      `not there ${counts.absent}, incomplete ${counts.incomplete}, whole ${counts.whole}. Wrong in the end: ${counts.wrong}`,
  );
  return counts.wrong;
}

/** The first lines that one of two texts has alone. */
function differences(made, fresh) {
  const [own, others] = [made, fresh].map((text) => new Set(text.split('\n')));
  const only = (sign, lines, rest) =>
    [...lines].filter((line) => !rest.has(line)).map((line) => [sign, line]);
  return [...only('+', own, others).slice(0, 5), ...only('-', others, own).slice(0, 5)];
}

/** A graph with something recorded about its files, where there is one. */
async function recorded(root, home, kind) {
  const graph = await openGraph(root, { home, archetypes: [Note, About] });
  await graph.write(async (tx) => {
    const note = await tx.create(Note({}, { id: 'note-1' }));
    if (kind === 'index') return;
    const file = (await graph.spawn('graph_export')).reports.find((line) => line.kind === 'file');
    const node = await tx.node(file.id);
    if ((await tx.q(note).out(About).ids()).length === 0) await tx.connect(note, node, About);
  });
  await graph.close();
}

/** Changes every third file: one more function, or another comment. */
async function edited(root, home, turn) {
  const graph = await openGraph(root, { home });
  const { reports } = await graph.spawn('graph_export');
  await graph.close();
  const paths = reports.filter((line) => line.kind === 'file' && line.extracted).map(({ path }) => path);
  const chosen = paths.filter((_, at) => (at + turn + 3) % 3 === 0);
  for (const path of chosen) {
    const text = readFileSync(join(root, path), 'utf8');
    const made = path.endsWith('.py')
      ? `def kill_${turn + 2}():\n    return 1\n`
      : `export const kill${turn + 2} = 1;\n`;
    writeFileSync(join(root, path), text.replace(/\n*(?:def kill_|export const kill)[\s\S]*$/, '\n') + made);
  }
  return chosen;
}

/** @param limit milliseconds after which the child is killed; null: it may end. */
function child(root, home, paths, limit) {
  const library = option('library', null);
  const args = [CHILD, root, '--home', home, '--paths', JSON.stringify(paths)];
  const process_ = spawn(process.execPath, [...args, ...(library ? ['--library', library] : [])], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((done) => {
    let started = performance.now();
    process_.stdout.once('data', () => {
      started = performance.now();
      if (limit !== null) setTimeout(() => process_.kill('SIGKILL'), limit);
    });
    process_.on('close', (_, signal) =>
      done({ killed: signal === 'SIGKILL', milliseconds: performance.now() - started }),
    );
  });
}

async function stateOf(graph) {
  try {
    const { output } = await graph.spawn('graph_stats');
    return output.complete ? 'whole' : 'incomplete';
  } catch (error) {
    if (error.code === 'PROJECT_NOT_INDEXED') return 'absent';
    throw error;
  }
}

async function isWhole(root, home) {
  const graph = await openGraph(root, { home });
  const state = await stateOf(graph);
  await graph.close();
  return state === 'whole';
}

async function durable(root, home) {
  const graph = await openGraph(root, { home, archetypes: [Note, About] });
  const text = await exportOf(graph, 'durable');
  await graph.close();
  return text;
}

async function freshExport(root, home) {
  rmSync(home, { recursive: true, force: true });
  const graph = await openGraph(root, { home });
  await graph.spawn('graph_index_project');
  const text = await exportOf(graph);
  await graph.close();
  return text;
}

async function exportOf(graph, layer = 'derived') {
  const { reports } = await graph.spawn('graph_export', null, { layer });
  return reports.map((line) => JSON.stringify(line)).join('\n');
}
