// Indexes projects with the command, each run a process of its own on a copy of the project in a temporary folder,
// beside baselines of the same minute: a process that only parses the same files with the same grammars, `git status`,
// with --texts a build of ours that keeps no text index, and with --peer the command of another indexer (installed by
// npm). The copy has no git history; where the project has one, a clone with it is indexed and edited too, in rows of its
// own. Read the ratios: the machine may be busy.
// Run: npm run build && node bench/index.mjs DIR… [--texts] [--peer] [--rounds 1] [--json] [--library FILE]
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { best, child, indexed, listExtracted, row } from './lib/indexed.mjs';
import { flag, inScratch, option, p50, timed } from './lib/measure.mjs';
import { installPeer } from './lib/peer.mjs';
import { withoutTexts } from './lib/without-texts.mjs';

/** Left out of the copy: never indexed, and large. */
const NOT_COPIED = new Set(['.git', 'node_modules']);
const STATUS_ROUNDS = 7;
const WITH_VALUE = new Set(['--rounds', '--library']);

const rounds = Number(option('rounds', 1));
const projects = [];
await inScratch('index', async (scratch) => {
  const peer = flag('peer') ? installPeer(scratch) : null;
  const measureAll = async (textless) => {
    for (const [i, folder] of folders().entries()) {
      const own = join(scratch, String(i));
      mkdirSync(own);
      projects.push(await measure(folder, own, { peer, textless }));
    }
  };
  await (flag('texts') ? withoutTexts(measureAll) : measureAll(null));
});
if (flag('json')) console.log(JSON.stringify(projects, null, 2));
else for (const project of projects) print(project);

/** The arguments that are neither options nor their values. */
function folders() {
  const given = process.argv.slice(2);
  const named = given.filter((one, i) => !one.startsWith('--') && !WITH_VALUE.has(given[i - 1]));
  if (named.length > 0) return named.map((one) => resolve(one));
  throw new Error('which projects? node bench/index.mjs DIR…');
}

/** @param textless The folder of a build without a text index. */
async function measure(folder, scratch, { peer, textless }) {
  const root = join(scratch, 'project');
  cpSync(folder, root, { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) });
  const home = join(scratch, 'graphs');
  const runs = { full: [], textless: [], parse: [], peer: [] };
  let extracted;
  const empty = () => {
    rmSync(home, { recursive: true, force: true });
    mkdirSync(home);
  };
  for (let round = 0; round < rounds; round += 1) {
    empty();
    if (textless) runs.textless.push(await indexed(root, home, textless));
    empty();
    runs.full.push(await indexed(root, home));
    extracted ??= await listExtracted(root, home, scratch);
    runs.parse.push(await child('parse', root, { files: extracted.list }));
    if (peer) runs.peer.push(await peerRun(peer, folder, scratch));
  }
  const full = best(runs.full);
  const parse = best(runs.parse);
  const other = peer ? best(runs.peer) : null;
  const bare = textless ? best(runs.textless) : null;
  const { files } = extracted;
  const edited = files[files.length >> 1].path;
  const updates = await child('updates', root, { home, edit: edited });
  const history = existsSync(join(folder, '.git')) ? await withHistory(folder, scratch, edited) : null;
  const { files_total, symbols_total, edges_total, bytes_total, problems } = full.output;
  const parsed = { files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
  return {
    project: folder,
    found: { files_total, symbols_total, edges_total, bytes_total, problems: problems.length, parsed },
    full: figures(full),
    textless: bare && figures(bare),
    parseOnly: figures(parse),
    history: history && figures(history.full),
    peer: other,
    toParse: ratios(full, parse),
    toPeer: other && ratios(full, other),
    toTextless: bare && ratios(full, bare),
    updates: {
      edited,
      nothingMs: updates.nothing,
      editMs: updates.edit,
      editNamedMs: updates.editNamed,
      gitStatusMs: await gitStatus(root),
      history: history && { nothingMs: history.updates.nothing, editMs: history.updates.edit },
    },
  };
}

/** The same of a clone, whose commits are read too: HEAD stays where it is while files change. */
async function withHistory(folder, scratch, edited) {
  const root = join(scratch, 'clone');
  const home = join(scratch, 'clone-graphs');
  execFileSync('git', ['clone', '--quiet', folder, root], { stdio: 'ignore' });
  const full = await indexed(root, home);
  return { full, updates: await child('updates', root, { home, edit: edited }) };
}

/** A fresh copy each time: the other indexer writes into the project's folder. */
async function peerRun(peer, folder, scratch) {
  const root = join(scratch, 'peer-project');
  rmSync(root, { recursive: true, force: true });
  cpSync(folder, root, { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) });
  const { treeCpuSeconds, treeMegabytes, ...figures } = await peer.index(root);
  return { name: peer.name, ...figures, cpuSeconds: treeCpuSeconds, peakMegabytes: treeMegabytes };
}

/** Milliseconds that git needs to say that nothing changed in the same tree; null where there is no git. */
async function gitStatus(root) {
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost', ...args], {
      cwd: root,
      stdio: 'ignore',
    });
  try {
    git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'bench');
    const times = [];
    for (let i = 0; i < STATUS_ROUNDS; i += 1) times.push(await timed(() => git('status', '--porcelain')));
    return p50(times);
  } catch {
    return null;
  }
}

function ratios(ours, theirs) {
  const ratio = (name) => (theirs[name] ? ours[name] / theirs[name] : null);
  return {
    time: ratio('seconds'),
    cpu: ratio('cpuSeconds'),
    memory: ratio('peakMegabytes'),
    store: ratio('storeMegabytes'),
  };
}

function figures({ output: _, ...rest }) {
  return rest;
}

function print({
  project,
  found,
  full,
  textless,
  history,
  parseOnly,
  peer,
  toParse,
  toPeer,
  toTextless,
  updates,
}) {
  const { files_total, symbols_total, edges_total, bytes_total, problems, parsed } = found;
  const mb = (bytes) => (bytes / 1e6).toFixed(1);
  console.log(
    `${project}: ${files_total} files (${mb(bytes_total)} MB), ${parsed.files} extracted (${mb(parsed.bytes)} MB), ` +
      `${symbols_total} symbols, ${edges_total} edges, ${problems} problems\n`,
  );
  console.log('| run | wall s | CPU s | peak MB | store MB |\n|---|---|---|---|---|');
  const line = (name, { seconds, cpuSeconds, peakMegabytes, storeMegabytes }) =>
    console.log(row([name, seconds, cpuSeconds, peakMegabytes, storeMegabytes]));
  line('full index', full);
  if (textless) line('full index without texts', textless);
  if (history) line('full index with its git history', history);
  line('parse only', parseOnly);
  if (peer) line(`${peer.name} (${peer.nodes} nodes, ${peer.edges} edges)`, peer);
  console.log('\n| full index / … | wall | CPU | memory | store |\n|---|---|---|---|---|');
  const beside = (name, { time, cpu, memory, store }) => console.log(row([name, time, cpu, memory, store]));
  if (toTextless) beside('without texts', toTextless);
  beside('parse only', toParse);
  if (toPeer) beside(peer.name, toPeer);
  const { nothingMs, editMs, editNamedMs, gitStatusMs, edited } = updates;
  console.log('\n| on an open graph, median | ms | / git status |\n|---|---|---|');
  const median = (name, ms) => ms !== null && console.log(row([name, ms, gitStatusMs && ms / gitStatusMs]));
  median('nothing changed', nothingMs);
  median(`one file edited (${edited})`, editMs);
  median('the same, told which', editNamedMs);
  if (updates.history) {
    median('nothing changed, with git history', updates.history.nothingMs);
    median('one file edited, with git history', updates.history.editMs);
  }
  median('git status', gitStatusMs);
  console.log('');
}
