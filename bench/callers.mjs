// Who calls it? Answers of Codewalk, of grep and of another indexer, held against call graphs that a compiler made.
// TRUTH: a file of the maintainers' accuracy/ folder (`truth-hono.json`), made with scip-typescript; DIR: a checkout of
// the commit that it names. grep is read kindly: a line that has the name and a bracket counts for the function around it.
// Run: npm run build && node bench/callers.mjs TRUTH DIR [--subjects 150] [--peer DIR] [--json]
//   --peer DIR: @colbymchenry/codegraph is installed there (npm install --prefix DIR); the checkout gets its folder.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { flag, inScratch, libraryFile, option } from './lib/measure.mjs';
import { installPeer } from './lib/peer.mjs';

const [truthFile, checkout] = process.argv.slice(2);
const truth = JSON.parse(readFileSync(truthFile, 'utf8'));
const root = resolve(checkout);
const CALLABLE = new Set(['function', 'method', 'objmethod', 'constructor', 'accessor', 'class']);
const files = new Map(truth.files.map((path, at) => [path, at]));
const defs = truth.defs.map(([file, start, end, line, name, kind], id) => ({
  id,
  file,
  start,
  end,
  line,
  name,
  kind,
}));
const functionsOf = new Map(truth.files.map((_, file) => [file, []]));
for (const def of defs)
  if (CALLABLE.has(def.kind) && def.kind !== 'class') functionsOf.get(def.file).push(def);
const callersOf = new Map();
for (const [from, to] of truth.calls) callersOf.set(to, (callersOf.get(to) ?? new Set()).add(keyOf(from)));

const most = Number(option('subjects', 150));
const all = defs.filter(({ id, kind }) => CALLABLE.has(kind) && kind !== 'constructor' && callersOf.has(id));
const subjects = all.filter(
  (_, at) => Math.floor((at * most) / all.length) !== Math.floor(((at - 1) * most) / all.length),
);

const result = await inScratch('callers', async (scratch) => ({
  subjects: subjects.length,
  codewalk: await scored(await codewalk(scratch)),
  grep: await scored(grep),
  ...(option('peer', null) === null ? {} : { peer: await scored(await peer(scratch)) }),
}));
if (flag('json')) console.log(JSON.stringify(result, null, 2));
else
  for (const [name, { precision, recall, right, wrong, missed }] of Object.entries(result).slice(1))
    console.log(
      `${name.padEnd(9)} precision ${precision.toFixed(3)}  recall ${recall.toFixed(3)}  (${right} right, ${wrong} wrong, ${missed} missed)`,
    );

/** A caller: a function of the truth, or a file. */
function keyOf(from) {
  return from < 0 ? `file ${-from - 1}` : `def ${from}`;
}

/** The innermost function of the truth around a line, else its file; null: no file of the truth. */
function callerAt(path, line) {
  const file = files.get(path);
  if (file === undefined) return null;
  const around = functionsOf.get(file).filter(({ start, end }) => start <= line && line <= end);
  const [inner] = around.sort((a, b) => a.end - a.start - (b.end - b.start));
  return inner ? `def ${inner.id}` : `file ${file}`;
}

/** Asks about every subject. @param ask Gives callers by {@link callerAt}. */
async function scored(ask) {
  const sum = { right: 0, wrong: 0, missed: 0 };
  for (const subject of subjects) {
    const callers = await ask(subject);
    const found = new Set(callers.filter((one) => one !== null));
    const wanted = callersOf.get(subject.id);
    const right = [...found].filter((one) => wanted.has(one)).length;
    sum.right += right;
    sum.wrong += found.size - right;
    sum.missed += wanted.size - right;
  }
  const { right, wrong, missed } = sum;
  return {
    precision: right / (right + wrong),
    recall: right / (right + missed),
    right,
    wrong,
    missed,
  };
}

async function codewalk(scratch) {
  const { openGraph } = await import(pathToFileURL(libraryFile()).href);
  const graph = await openGraph(root, { home: join(scratch, 'graphs') });
  await graph.spawn('graph_index_project', null, { mode: 'full' });
  return async ({ file, line }) => {
    const input = { function_name: `${truth.files[file]}:${line}`, tests: true, max_tokens: 20_000 };
    const { output } = await graph.spawn('query_callers', null, input);
    const { callers } = output.results;
    return callers.flatMap(({ file_path, calls }) => calls.map((call) => callerAt(file_path, call.line)));
  };
}

function grep({ file, line, name }) {
  const { stdout } = spawnSync('grep', ['-rnwE', '--include=*.ts', '--include=*.tsx', `${name}\\(`, '.'], {
    cwd: root,
    encoding: 'utf8',
  });
  const callers = stdout.split('\n').flatMap((text) => {
    const [, path, at] = /^\.\/(.+?):(\d+):/u.exec(text) ?? [];
    const isItself = path === truth.files[file] && Number(at) === line;
    return path === undefined || isItself ? [] : callerAt(path, Number(at));
  });
  return callers;
}

async function peer(scratch) {
  const { index, server } = installPeer(scratch, option('peer', null));
  await index(root);
  const { command, env } = server(root);
  return ({ file, name }) => {
    const args = ['callers', name, '--file', truth.files[file], '--limit', '1000', '--json'];
    const text = execFileSync(command, args, { cwd: root, env, encoding: 'utf8' });
    const { callers = [] } = text.includes('{') ? JSON.parse(text.slice(text.indexOf('{'))) : {};
    // Some of its rows only refer to the symbol.
    return callers
      .filter(({ relationships = [] }) => relationships.some((one) => /^(?:calls|instantiates)$/u.test(one)))
      .map(({ kind, filePath, startLine }) =>
        kind === 'file' ? `file ${files.get(filePath)}` : callerAt(filePath, startLine),
      );
  };
}
