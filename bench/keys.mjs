// Compares the two key forms of design.md (8 bytes of the id; 6+6 of owning file and id) through the real layer on
// LevelDB. Run: node bench/keys.mjs [files=1000] [rounds=3]. It bundles the sources itself; nothing has to be built.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const FILES = Number(process.argv[2] ?? 1000);
const ROUNDS = Number(process.argv[3] ?? 3);
const SYMBOLS = 40;
const CALLS = 5;
/** Codes go by first use: nodes 1, Calls 2, Contains 3. */
const CALLS_CODE = 2;
const repository = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'codewalk-keys-'));

const { defineNode, defineEdge, openLayer, openLevelStore, WHOLE_ID, OWNER_AND_REST, keySpace, z } =
  await sources();
const Code = defineNode(
  'Code',
  { name: z.string(), file: z.string(), line: z.number(), doc: z.string() },
  { layer: 'derived', indexes: ['name'] },
);
const Calls = defineEdge(
  'Calls',
  { line: z.number(), column: z.number() },
  { layer: 'derived', order: 'canonical' },
);
const Contains = defineEdge('Contains', {}, { layer: 'derived', order: 'canonical' });
const catalog = {
  node: (name) => (name === 'Code' ? Code : undefined),
  edge: (name) => ({ Calls, Contains })[name],
  descendants: (name) => [name],
};
const graph = syntheticGraph();

const FORMS = { whole: WHOLE_ID, owner: OWNER_AND_REST };
const only = process.argv[4];
if (only === undefined) compare();
else process.stdout.write(JSON.stringify(await measure(FORMS[only], join(scratch, only))));
rmSync(scratch, { recursive: true, force: true });

/** Each form and round in a process of its own, so that neither runs on code that the other one has warmed up. */
function compare() {
  const best = { whole: {}, owner: {} };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of round % 2 === 0 ? ['whole', 'owner'] : ['owner', 'whole']) {
      const child = [fileURLToPath(import.meta.url), String(FILES), '1', name];
      const rows = JSON.parse(execFileSync(process.execPath, child, { encoding: 'utf8' }));
      for (const [row, value] of Object.entries(rows))
        best[name][row] = Math.min(best[name][row] ?? Number.POSITIVE_INFINITY, value);
    }
  }
  console.log(
    `${graph.files.length} files, ${graph.nodes.length} nodes, ${graph.edges.length} edges; best of ${ROUNDS}\n`,
  );
  console.log('| what | 8 bytes of the id | 6+6 bytes (file, id) | ratio |\n|---|---|---|---|');
  for (const row of Object.keys(best.whole)) {
    const [a, b] = [best.whole[row], best.owner[row]];
    console.log(`| ${row} | ${a.toFixed(2)} | ${b.toFixed(2)} | ${(b / a).toFixed(2)} |`);
  }
}

async function measure(keyForm, folder) {
  const rows = {};
  let layer = await open(folder, keyForm);
  rows['write everything, CPU ms'] = await timed(async () => {
    for (let at = 0; at < graph.files.length; at += 200) {
      const part = graph.files.slice(at, at + 200);
      await layer.commit(
        added(
          part.flatMap((f) => f.nodes),
          part.flatMap((f) => f.edges),
        ),
      );
    }
  });
  await layer.close();
  layer = await open(folder, keyForm);
  const store = layer.bench;
  const some = pick(graph.files, 200, 17);
  rows['context of 200 files, just opened, CPU ms'] = await timed(() => {
    for (const f of some) fileContext(layer, f);
  });
  rows['context of 200 files, again, CPU ms'] = await timed(() => {
    for (const f of some) fileContext(layer, f);
  });
  const starts = pick(graph.nodes, 200, 29).map((node) => node.id);
  rows['3 hops from 200 nodes, first, CPU ms'] = await timed(() => {
    for (const id of starts) hops(layer, id);
  });
  rows['3 hops from 200 nodes, again, CPU ms'] = await timed(() => {
    for (const id of starts) hops(layer, id);
  });
  Object.assign(rows, decodeCost(layer, store, keyForm, starts));
  rows['disk, MB'] = (await layer.sizeOnDisk()) / 1e6;
  const gone = pick(graph.files, 20, 41).map(removed);
  rows['delete 20 files with their edges, CPU ms'] = await timed(async () => {
    for (const changes of gone) await layer.commit(changes);
  });
  await layer.close();
  layer = await open(folder, keyForm, { cacheSize: 1024 * 1024 });
  rows['context of 200 other files, cache of 1 MiB, CPU ms'] = await timed(() => {
    for (const f of pick(graph.files, 200, 53)) fileContext(layer, f);
  });
  await layer.close();
  return rows;
}

async function open(folder, keyForm, options = {}) {
  const store = await openLevelStore(folder, options);
  return Object.assign(await openLayer(store, 'derived', catalog, { keyForm }), { bench: store });
}

function fileContext(layer, file) {
  const ids = file.nodes.map((node) => node.id);
  layer.nodes(ids);
  layer.adjacency(ids.map((node) => ({ node, direction: 'out', edgeType: 'Calls' })));
  layer.adjacency(ids.map((node) => ({ node, direction: 'in', edgeType: 'Calls' })));
}

function hops(layer, start) {
  const seen = new Set([start]);
  let frontier = [start];
  for (let hop = 0; hop < 3; hop += 1) {
    const next = [];
    for (const list of layer.adjacency(
      frontier.map((node) => ({ node, direction: 'out', edgeType: 'Calls' })),
    ))
      for (const { far } of list) if (!seen.has(far) && seen.add(far)) next.push(far);
    frontier = next;
  }
}

/** What making a key and decoding cost beside the bare get of the same records. */
function decodeCost(layer, store, form, starts) {
  const ids = starts.slice(0, 200);
  const space = keySpace({ salt: 0, generation: 0, form });
  const keys = ids
    .map((id) => space.adjacency(id, 'out', CALLS_CODE))
    .filter((key) => store.getMany([key])[0]);
  if (keys.length !== ids.length) throw new Error('the code of Calls is not what this bench takes it for');
  const times = { bare: [], layer: [] };
  for (let turn = 0; turn < 40; turn += 1) {
    let t = performance.now();
    for (const key of keys) store.getMany([key]);
    times.bare.push(performance.now() - t);
    t = performance.now();
    for (const node of ids) layer.adjacency([{ node, direction: 'out', edgeType: 'Calls' }]);
    times.layer.push(performance.now() - t);
  }
  const us = (list) => (Math.min(...list) / ids.length) * 1000;
  return { 'bare get of a record, us': us(times.bare), 'get and decode of 5 entries, us': us(times.layer) };
}

function added(nodes, edges) {
  return {
    nodes: nodes.map((node) => ({ id: node.id, before: undefined, after: node })),
    edges,
    removedEdges: [],
    typeOf: () => 'Code',
  };
}

function removed(file) {
  const own = new Set(file.nodes.map((node) => node.id));
  const edges = graph.edges.filter(({ from, to }) => own.has(from) || own.has(to));
  return {
    nodes: file.nodes.map((node) => ({ id: node.id, before: node, after: undefined })),
    edges: [],
    removedEdges: edges,
    typeOf: () => 'Code',
  };
}

/** Files of symbols that mostly call their own file, less often near ones, sometimes any. */
function syntheticGraph() {
  const random = generator(7);
  const files = Array.from({ length: FILES }, (_, f) => {
    const path = `packages/part${f % 37}/src/module${f % 211}/file${f}.ts`;
    const nodes = Array.from({ length: SYMBOLS }, (_, s) => ({
      id: s === 0 ? `file:${path}` : `fn:${path}:Class${s % 7}.method${s}`,
      type: 'Code',
      props: {
        name: `method${s}`,
        file: path,
        line: s * 12,
        doc: `Does what method ${s} of file ${f} has to do.`,
      },
    }));
    return { path, nodes, edges: [] };
  });
  for (const [f, file] of files.entries()) {
    for (const [s, node] of file.nodes.entries()) {
      if (s > 0) file.edges.push(edge('Contains', file.nodes[0].id, node.id, {}));
      const targets = new Set();
      while (targets.size < CALLS) {
        const roll = random();
        const other =
          roll < 0.6 ? f : Math.floor(roll < 0.9 ? (f + random() * 20) % FILES : random() * FILES);
        targets.add(files[other].nodes[1 + Math.floor(random() * (SYMBOLS - 1))].id);
      }
      let line = s * 12;
      for (const to of targets) file.edges.push(edge('Calls', node.id, to, { line: line++, column: 8 }));
    }
  }
  return { files, nodes: files.flatMap((f) => f.nodes), edges: files.flatMap((f) => f.edges) };
}

function edge(type, from, to, props) {
  return { type, from, to, seq: 0, undirected: false, props };
}

function pick(list, count, seed) {
  const random = generator(seed);
  return Array.from({ length: count }, () => list[Math.floor(random() * list.length)]).filter(
    (x, at, all) => all.indexOf(x) === at,
  );
}

function generator(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Processor milliseconds of all threads: the machine may be busy with something else. */
async function timed(action) {
  const from = process.cpuUsage();
  await action();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1000;
}

async function sources() {
  const outfile = join(repository, 'node_modules', '.cache', `codewalk-bench-keys-${process.pid}.mjs`);
  await build({
    stdin: {
      contents: `export * from './schema/index.ts'; export { openLayer, openLevelStore } from './storage/index.ts';
        export { WHOLE_ID, OWNER_AND_REST, keySpace } from './storage/keys.ts'; export { z } from 'zod';`,
      resolveDir: repository,
    },
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    packages: 'external',
    outfile,
    logLevel: 'error',
  });
  try {
    return await import(outfile);
  } finally {
    rmSync(outfile, { force: true });
  }
}
