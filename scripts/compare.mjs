// What a change does to behaviour: the same checks on the build of a base commit and on this one, and what differs.
//
//   npm run compare -- BASE [--corpora DIR] [--mirror DIR] [--shared DIR] [--only PART,…] [--json]
//
// DIR of the corpora holds a checkout in each of its folders (flask, hono, vue …), --mirror bare git folders
// `<owner>+<name>/repo`, --shared the evaluators. Checks: goldens, export-NAME, answers-NAME, and each evaluator by its name; --only
// takes those whose name begins so. What a build of a commit came to is kept in node_modules/.cache/compare.
// Exit code 1 when something differs.
import { execFileSync, spawnSync } from 'node:child_process';
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

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/compare');
/** What tests hold the product to, text by text: names of tools and commands, hook texts, listings of languages. */
const GOLDENS = [
  'test/contract',
  'test/surface',
  'test/languages',
  'test/hooks',
  'docs/reference',
  'docs/limits.md',
];
const MOST_SHOWN = 12;
const HOUR_MS = 3_600_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    corpora: { type: 'string' },
    mirror: { type: 'string' },
    shared: { type: 'string', default: join(ROOT, '../shared') },
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const [base] = positionals;
if (base === undefined || positionals.length > 1) {
  process.stderr.write(
    'usage: npm run compare -- BASE [--corpora DIR] [--mirror DIR] [--shared DIR] [--only PART,…] [--json]\n',
  );
  process.exit(2);
}
const corpora = values.corpora ? foldersIn(resolve(values.corpora)) : [];
const scratch = mkdtempSync(join(tmpdir(), 'codewalk-compare-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
process.once('SIGINT', () => process.exit(130));

const before = { folder: null, commit: git('rev-parse', '--verify', `${base}^{commit}`) };
const now = { folder: ROOT, commit: git('status', '--porcelain') === '' ? git('rev-parse', 'HEAD') : null };
execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: ['ignore', 2, 2] });
const differences = [];
for (const check of checks()) {
  if (values.only && !values.only.split(',').some((name) => check.name.startsWith(name))) continue;
  const [old, fresh] = [check.alone ? {} : figuresOf(check, before), figuresOf(check, now)];
  for (const name of new Set([...Object.keys(old), ...Object.keys(fresh)]))
    if (old[name] !== fresh[name])
      differences.push({
        check: check.name,
        figure: name,
        before: old[name] ?? null,
        now: fresh[name] ?? null,
      });
  const count = differences.filter((one) => one.check === check.name).length;
  process.stderr.write(
    `${check.name}: ${count === 0 ? `same (${Object.keys(fresh).length} figures)` : `${count} differ`}\n`,
  );
}
if (values.json) console.log(JSON.stringify(differences, null, 2));
else
  for (const one of differences)
    console.log(`${one.check}  ${one.figure}\n  before: ${one.before}\n  now:    ${one.now}`);
if (differences.length > 0) process.exitCode = 1;

/** @returns checks, each with `run(build folder)`, which gives figures by name; `alone`: it compares with the base by itself. */
function* checks() {
  yield { name: 'goldens', alone: true, run: changedGoldens };
  for (const [name, root] of corpora) {
    yield { name: `export-${name}`, run: (folder) => exported(folder, root, name) };
    yield {
      name: `answers-${name}`,
      run: (folder) => printed(folder, [join(folder, 'bench/answers.mjs'), root], /,? p50 .*$/),
    };
  }
  yield { name: 'export-codewalk', run: (folder) => exported(folder, ROOT, 'codewalk') };
  const { shared } = values;
  if (!existsSync(join(shared, 'answers'))) return;
  const asked = corpora
    .filter(([name]) => name === 'flask' || name === 'hono')
    .flatMap(([name, root]) => ['--corpus', `${name}=${root}`]);
  if (asked.length > 0) {
    const truth = ['--truth', join(shared, 'accuracy')];
    yield evaluatorOf('names', [...asked]);
    yield evaluatorOf('call-sites', [...truth, ...asked]);
    yield evaluatorOf(
      'references',
      asked.filter((one, at) => one.startsWith('flask=') || asked[at + 1]?.startsWith('flask=')),
    );
    yield evaluatorOf('search', [...asked]);
    yield evaluatorOf('budgets', [...truth, '--work', join(scratch, 'budgets'), ...asked]);
  }
  for (const [name, root] of corpora)
    if (existsSync(join(shared, `accuracy/truth-${name}.json`)))
      yield { name: `calls-${name}`, run: (folder) => callAccuracy(folder, name, root) };
  for (const name of ['status', 'quotes'])
    yield {
      name: `sim-${name}`,
      run: (folder) => printed(folder, [join(shared, `sim/${name}.mjs`), fresh('sim')]),
    };
  const server = (folder) => `node ${join(folder, 'dist/cli.js')} mcp`;
  yield {
    name: 'recall',
    run: (folder) =>
      printed(folder, [
        join(shared, 'recall/eval-recall.mjs'),
        '--server',
        server(folder),
        '--data',
        join(shared, 'recall/data/requests.jsonl'),
        '--data',
        join(shared, 'recall/data/hono.jsonl'),
      ]),
  };
  yield {
    name: 'repeat',
    run: (folder) => printed(folder, [join(shared, 'repeat/eval-repeat.mjs'), '--server', server(folder)]),
  };
  if (!values.mirror) return;
  const mirror = resolve(values.mirror);
  const call = '{"name":"search_code","arguments":{"project_root":"$ROOT","query":"$QUERY","limit":30}}';
  yield {
    name: 'localise',
    run: (folder) =>
      printed(folder, [
        join(shared, 'recall/eval-localise.mjs'),
        '--server',
        server(folder),
        '--mirror',
        mirror,
        '--data',
        join(shared, 'recall/data/loc-hono.jsonl'),
        '--limit-n',
        '30',
        '--call',
        call,
      ]),
  };
  yield {
    name: 'context',
    run: (folder) =>
      printed(folder, [
        join(shared, 'context/eval-context.mjs'),
        '--server',
        server(folder),
        '--mirror',
        mirror,
        '--data',
        join(shared, 'context/data/hono.jsonl'),
        '--limit-n',
        '20',
      ]),
  };

  function evaluatorOf(name, args) {
    return {
      name,
      run: (folder) => printed(folder, [join(shared, `answers/${name}.mjs`), '--product', folder, ...args]),
    };
  }
}

/** Figures of a check on a build, remembered where the build is that of a commit. */
function figuresOf(check, build) {
  const key = createHash('sha256')
    .update(JSON.stringify([build.commit, check.name, process.argv.slice(3)]))
    .digest('hex');
  const file = join(CACHE, `${key}.json`);
  if (build.commit !== null && existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  build.folder ??= builtAt(build.commit);
  const figures = check.run(build.folder);
  if (build.commit !== null) {
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(file, JSON.stringify(figures));
  }
  return figures;
}

/** A checkout of a commit, built; with this checkout's packages where it asks for the same. */
function builtAt(commit) {
  const folder = join(scratch, 'base');
  mkdirSync(folder);
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  const [lock, own] = [folder, ROOT].map((one) => readFileSync(join(one, 'package-lock.json'), 'utf8'));
  const options = { cwd: folder, stdio: ['ignore', 2, 2] };
  if (lock === own) symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--silent'], options);
  execFileSync('npm', ['run', '--silent', 'build'], options);
  return folder;
}

/** Lines that were added to and taken from each file of the goldens. */
function changedGoldens() {
  const stat = git(
    'diff',
    '--numstat',
    before.commit,
    '--',
    ...GOLDENS.filter((path) => existsSync(join(ROOT, path))),
  );
  const rows = stat.split('\n').filter((row) => row !== '' && !row.endsWith('.test.ts'));
  return Object.fromEntries(
    rows.map((row) => row.split('\t')).map(([more, less, path]) => [path, `+${more} -${less}`]),
  );
}

/** Counts and digests of a code graph's lines by kind; the lines stay in a file beside, to be compared by hand. */
function exported(folder, root, name) {
  const home = fresh('home');
  const env = { ...process.env, HOME: home, GRAPHS_HOME: home };
  const run = (...args) =>
    outputOf(process.execPath, [join(folder, 'dist/cli.js'), '--embedded', ...args], { env });
  run('index', root);
  const file = join(CACHE, `${folder === ROOT ? 'now' : 'before'}-${name}.jsonl`);
  mkdirSync(CACHE, { recursive: true });
  run('export', root, '--out', file, '--overwrite');
  const kinds = new Map();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const kind = /"(?:kind|type)":"([^"]*)"/.exec(line)?.[1];
    if (kind !== undefined) kinds.set(kind, [...(kinds.get(kind) ?? []), line]);
  }
  return Object.fromEntries(
    [...kinds].map(([kind, lines]) => [kind, `${lines.length} ${digest(lines.sort().join('\n'))}`]),
  );
}

/** What a program prints at the beginning of its lines: what is indented explains. */
function printed(folder, args, left = /$^/) {
  const home = fresh('home');
  const { stdout, status } = outputOf(process.execPath, args, {
    cwd: scratch,
    env: { ...process.env, HOME: home, PRODUCT: folder, DEPS_DIR: dependencies() },
  });
  const lines = stdout
    .split('\n')
    .filter((line) => /^\S/.test(line))
    .map((line) => line.replace(left, ''));
  return {
    ...Object.fromEntries(lines.slice(-MOST_SHOWN).map((line, at) => [String(at), line])),
    exit: status,
  };
}

/** How many of the calls that a compiler sees the graph has, and how many of its own the compiler sees. */
function callAccuracy(folder, name, root) {
  exported(folder, root, name);
  const file = join(CACHE, `${folder === ROOT ? 'now' : 'before'}-${name}.jsonl`);
  const { shared } = values;
  return printed(folder, [
    join(shared, 'accuracy/eval-scip.mjs'),
    '--graph',
    file,
    '--truth',
    join(shared, `accuracy/truth-${name}.json`),
  ]);
}

/** A folder with what the evaluators import; installed once. */
function dependencies() {
  const folder = join(CACHE, 'deps');
  if (existsSync(join(folder, 'node_modules'))) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const packages = [
    '@modelcontextprotocol/sdk@1.32.2',
    'minisearch@7.2.0',
    'tree-sitter-wasms@0.1',
    'web-tree-sitter@0.22.6',
  ];
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent', ...packages], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
  });
  return folder;
}

function outputOf(program, args, options) {
  return spawnSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 30, timeout: HOUR_MS, ...options });
}

function digest(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function fresh(name) {
  return mkdtempSync(join(scratch, `${name}-`));
}

function foldersIn(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => [name, join(folder, name)]);
}

function git(...args) {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 30 }).trim();
}
