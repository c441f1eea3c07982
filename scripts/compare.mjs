// What a change does to behaviour: the same checks on the build of a base commit and on this checkout, and what differs.
//
//   npm run compare -- BASE [--corpora DIR] [--mirror DIR] [--shared DIR] [--only PART,…] [--json]
//
// Each folder in the corpora's DIR is a checkout (flask, hono, vue …), --mirror holds bare git folders
// `<owner>+<name>/repo`, --shared the evaluators. Checks: goldens, hooks, export-NAME, answers-NAME, and each evaluator
// by its name; --only takes those whose name begins so. Times do not count. Figures of a commit's build, and the lines
// of each export, are kept in node_modules/.cache/compare. Exit code 1: something differs; 2: bad arguments.
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const CACHE = join(ROOT, 'node_modules/.cache/compare');
/** What tests hold the product to, text by text: names of tools and commands, hook texts, listings of languages. */
const GOLDENS =
  'test/contract test/surface test/languages test/hooks docs/reference/reference.md docs/reference/limits.md';
const RECORDINGS = join(ROOT, 'test/hooks/recordings');
/** Which of the shared data are measured: what takes minutes, not hours. */
const MOST_QUERIES = '20';
const HOUR_MS = 3_600_000;
const USAGE =
  'npm run compare -- BASE [--corpora DIR] [--mirror DIR] [--shared DIR] [--only PART,…] [--json]';

const { base, values } = readArguments();
const shared = resolve(values.shared);
const corpora = foldersIn(values.corpora);
const scratch = mkdtempSync(join(tmpdir(), 'codewalk-compare-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
process.once('SIGINT', () => process.exit(130));

const before = buildOf(base);
const now = { name: 'now', commit: null, folder: async () => ROOT };
npm(ROOT, 'run', '--silent', 'build');
const differences = [];
for (const { name, figures, compared } of checks()) {
  if (values.only && !values.only.split(',').some((part) => name.startsWith(part))) continue;
  const [old, fresh] =
    compared?.() ?? (await Promise.all([before, now].map((one) => kept(name, figures, one))));
  const names = [...new Set([...Object.keys(old), ...Object.keys(fresh)])];
  const changed = names.filter((figure) => old[figure] !== fresh[figure]);
  for (const figure of changed)
    differences.push({ check: name, before: old[figure] ?? null, now: fresh[figure] ?? null, figure });
  const found = changed.length === 0 ? 'same' : `${changed.length} differ`;
  process.stderr.write(`${name}: ${found}, of ${names.length} figures\n`);
}
if (values.json) console.log(JSON.stringify(differences, null, 2));
else
  for (const { check, figure, ...one } of differences)
    console.log(`${check}  ${figure}\n  before: ${one.before}\n  now:    ${one.now}`);
if (differences.length > 0) process.exitCode = 1;

/** @returns {Iterable} Checks: `figures(build)` gives texts by name for one build, `compared()` those of both. */
function* checks() {
  yield { name: 'goldens', compared: changedGoldens };
  for (const recording of readdirSync(RECORDINGS))
    yield {
      name: `hooks-${recording.replace('.jsonl', '')}`,
      figures: (build) => hookTexts(build, recording),
    };
  for (const [name, root] of [...corpora, ['codewalk', ROOT]]) {
    yield { name: `export-${name}`, figures: (build) => exported(build, name, root) };
    yield {
      name: `answers-${name}`,
      figures: async (build) => printed(build, join(await build.folder(), 'bench/answers.mjs'), root),
    };
  }
  for (const [name, needed, args] of evaluators()) {
    const file = join(shared, `${name}.mjs`);
    if (needed && existsSync(file))
      yield {
        name: name.replace(/^.*\/(eval-)?/, ''),
        figures: async (build) => printed(build, file, ...(await args(build))),
      };
  }
}

/** Evaluators of the shared folder: their names, whether there is what they need, and their arguments for a build. */
function evaluators() {
  const measured = corpora.filter(([name]) => name === 'flask' || name === 'hono');
  const asked = (only = /./) =>
    measured.flatMap(([name, root]) => (only.test(name) ? ['--corpus', `${name}=${root}`] : []));
  const product = async (build, ...more) => ['--product', await build.folder(), ...more];
  const server = async (build, ...more) => [
    '--server',
    `node ${await build.folder()}/dist/cli.js mcp`,
    ...more,
  ];
  const truth = ['--truth', join(shared, 'accuracy')];
  const data = (name) => ['--data', join(shared, name)];
  const mirror = ['--mirror', resolve(values.mirror ?? '.')];
  const search = '{"name":"search_code","arguments":{"project_root":"$ROOT","query":"$QUERY","limit":30}}';
  const some = measured.length > 0;
  return [
    ['answers/names', some, (build) => product(build, ...asked())],
    ['answers/call-sites', some, (build) => product(build, ...truth, ...asked())],
    ['answers/references', asked(/flask/).length > 0, (build) => product(build, ...asked(/flask/))],
    ['answers/search', some, (build) => product(build, ...asked())],
    ['answers/budgets', some, (build) => product(build, ...truth, '--work', fresh('work'), ...asked())],
    ['sim/status', true, () => [fresh('work')]],
    ['sim/quotes', true, () => [fresh('work')]],
    ['sim/same-error', true, () => [fresh('work'), 'click']],
    ['repeat/eval-repeat', true, server],
    [
      'recall/eval-recall',
      true,
      (build) => server(build, ...data('recall/data/requests.jsonl'), ...data('recall/data/hono.jsonl')),
    ],
    [
      'recall/eval-localise',
      values.mirror,
      (build) =>
        server(
          build,
          ...mirror,
          ...data('recall/data/loc-hono.jsonl'),
          '--limit-n',
          MOST_QUERIES,
          '--call',
          search,
        ),
    ],
    [
      'context/eval-context',
      values.mirror,
      (build) => server(build, ...mirror, ...data('context/data/hono.jsonl'), '--limit-n', MOST_QUERIES),
    ],
  ];
}

/** Figures of a check on a build, remembered where the build is that of a commit. */
async function kept(name, figures, build) {
  const inputs = [
    build.commit,
    name,
    shared,
    values.mirror,
    corpora.map(([, root]) => git(root, 'rev-parse', 'HEAD')),
  ];
  const file = join(
    CACHE,
    `${digest(JSON.stringify([inputs, readFileSync(fileURLToPath(import.meta.url), 'utf8')]))}.json`,
  );
  if (build.commit && existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const found = await figures(build);
  mkdirSync(CACHE, { recursive: true });
  if (build.commit) writeFileSync(file, JSON.stringify(found));
  return found;
}

/** A commit's checkout, built when it is first asked for; with this checkout's packages where it asks for the same. */
function buildOf(revision) {
  const commit = git(ROOT, 'rev-parse', '--verify', `${revision}^{commit}`);
  let made = null;
  return { name: commit.slice(0, 12), commit, folder: async () => (made ??= make()) };

  function make() {
    const folder = join(scratch, 'base');
    mkdirSync(folder);
    const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 2 ** 30 });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    const [lock, own] = [folder, ROOT].map((one) => readFileSync(join(one, 'package-lock.json'), 'utf8'));
    if (lock === own) symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    else npm(folder, 'ci', '--no-audit', '--no-fund', '--silent');
    npm(folder, 'run', '--silent', 'build');
    return folder;
  }
}

/** Lines that were added to and taken from each golden file, what is not committed included. */
function changedGoldens() {
  const rows = git(ROOT, 'diff', '--numstat', before.commit, '--', ...GOLDENS.split(' ')).split('\n');
  const changed = rows.filter((row) => row !== '' && !row.endsWith('.test.ts')).map((row) => row.split('\t'));
  return [
    Object.fromEntries(changed.map(([, less, path]) => [path, `-${less}`])),
    Object.fromEntries(changed.map(([more, , path]) => [path, `+${more}`])),
  ];
}

/** What hooks say to a recorded session that is played twice, by the number of the payload. */
async function hookTexts(build, recording) {
  const home = fresh('home');
  const root = join(home, 'project');
  mkdirSync(join(root, '.git'), { recursive: true });
  const cli = join(await build.folder(), 'dist/cli.js');
  const client = recording.startsWith('claude') ? 'claude' : 'qwen';
  const text = readFileSync(join(RECORDINGS, recording), 'utf8').replaceAll('/project', root);
  const said = {};
  for (const round of [1, 2])
    for (const [at, line] of text.trim().split('\n').entries()) {
      const payload = JSON.parse(line);
      const input = JSON.stringify({ ...payload, session_id: `${payload.session_id}-${round}` });
      const args = [cli, 'hook', '--client', client, '--deadline', '20000'];
      const { stdout } = await run(args, { home, cwd: root, input });
      if (stdout !== '') said[`${round}.${at + 1}`] = stdout.replaceAll(root, '/project').trim();
    }
  await run([cli, 'stop', '--quiet'], { home, cwd: root });
  return said;
}

/** Counts and digests of a code graph's lines by kind, and how accurate its calls are where a compiler's truth is there. */
async function exported(build, name, root) {
  const home = fresh('home');
  const cli = [join(await build.folder(), 'dist/cli.js'), '--embedded'];
  const file = join(CACHE, `${build.name}-${name}.jsonl`);
  mkdirSync(CACHE, { recursive: true });
  await run([...cli, 'index', root, '--quiet'], { home });
  await run([...cli, 'export', root, '--out', file, '--overwrite'], { home });
  const kinds = new Map();
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const { type, kind = '' } = JSON.parse(line);
    const both = `${type} ${kind}`;
    if (!kinds.has(both)) kinds.set(both, []);
    kinds.get(both).push(line);
  }
  const counted = [...kinds].map(([kind, lines]) => [
    kind,
    `${lines.length} ${digest(lines.sort().join('\n'))}`,
  ]);
  const truth = join(shared, `accuracy/truth-${name}.json`);
  const evaluator = join(shared, 'accuracy/eval-scip.mjs');
  const accuracy = existsSync(truth)
    ? await printed(build, evaluator, '--graph', file, '--truth', truth)
    : {};
  return { ...Object.fromEntries(counted), ...accuracy };
}

/** What a program prints: its lines by what they say beside numbers. What is indented explains, and times vary. */
async function printed(build, ...args) {
  const folder = await build.folder();
  const env = { PRODUCT: folder, DEPS_DIR: dependencies() };
  const { stdout, code } = await run(args, { home: fresh('home'), env });
  const figures = { exit: String(code) };
  for (const line of stdout.split('\n').filter((one) => /^\S/.test(one))) {
    const told = line
      .replaceAll(folder, '')
      .replaceAll(scratch, '')
      .replace(/\b(?:p50|p95|first index)? ?[\d.,]+ ?(?:ms|s|\/s)(?![\w/])/g, '…');
    let name = told.replace(/[\d.,]+/g, '#').slice(0, 100);
    while (name in figures) name += '+';
    figures[name] = told;
  }
  return figures;
}

/** Runs Node to its end, with a home that nobody else has. */
function run(args, { home, cwd = scratch, input = '', env = {} }) {
  const options = {
    cwd,
    env: { ...process.env, HOME: home, GRAPHS_HOME: join(home, '.graphs'), ...env },
    maxBuffer: 2 ** 30,
    timeout: HOUR_MS,
  };
  return new Promise((done) => {
    const child = execFile(process.execPath, args, options, (error, stdout) =>
      done({ code: error === null ? 0 : error.code, stdout }),
    );
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

/** A folder with what the evaluators import; installed once. */
function dependencies() {
  const folder = join(CACHE, 'deps');
  if (existsSync(join(folder, 'node_modules'))) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const packages =
    '@modelcontextprotocol/sdk@1.32.2 minisearch@7.2.0 tree-sitter-wasms@0.1 web-tree-sitter@0.22.6';
  npm(folder, 'install', '--no-audit', '--no-fund', '--silent', ...packages.split(' '));
  return folder;
}

function readArguments() {
  const text = { type: 'string' };
  const options = { corpora: text, mirror: text, only: text, json: { type: 'boolean', default: false } };
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { ...options, shared: { ...text, default: join(ROOT, '../shared') } },
    });
    if (positionals.length === 1) return { base: positionals[0], values };
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
  }
  process.stderr.write(`usage: ${USAGE}\n`);
  process.exit(2);
}

function foldersIn(folder) {
  if (folder === undefined) return [];
  const entries = readdirSync(resolve(folder), { withFileTypes: true });
  return entries.filter((one) => one.isDirectory()).map(({ name }) => [name, join(resolve(folder), name)]);
}

function digest(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function fresh(name) {
  return mkdtempSync(join(scratch, `${name}-`));
}

function npm(cwd, ...args) {
  execFileSync('npm', args, { cwd, stdio: ['ignore', 2, 2] });
}

function git(cwd, ...args) {
  return execFileSync('git', args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 30 }).trim();
}
