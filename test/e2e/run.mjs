/*
 * Real clients, end to end: `node test/e2e/run.mjs --clients DIR [--harness DIR] [--client NAME…] [--scenario NAME…]
 * [--packed] [--out DIR]`. Build first, unless `--packed`.
 *
 * Plays scenarios to each client with Codewalk installed by its own installer in an empty home, and compares every
 * call that the model made with what the graph holds. `--clients` is what the harness's `install-clients.sh` filled,
 * `--packed` takes the package as users get it, in folders with a space. One row a run; exit 1 where one has a complaint.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { oneRun } from './one-run.mjs';

/** Tokens that an agent is given in a session at most. */
const TOKENS = 400;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OWN = new URL('scenarios/', import.meta.url);
/** The harness's own, which is judged. */
const JUDGED = 'js-cart';

const { values } = parseArgs({
  options: {
    clients: { type: 'string' },
    harness: { type: 'string', default: join(ROOT, '../shared/clients') },
    client: { type: 'string', multiple: true, default: ['qwen', 'qwen-old', 'claude'] },
    scenario: { type: 'string', multiple: true },
    packed: { type: 'boolean', default: false },
    out: { type: 'string' },
  },
});
if (!values.clients) throw new Error('--clients DIR: where install-clients.sh put them');
const out = resolve(
  values.out ?? mkdtempSync(join(tmpdir(), 'codewalk-e2e-')),
  values.packed ? 'a space' : '.',
);
mkdirSync(out, { recursive: true });

const clients = clientsIn(values.clients);
const scenarios = await scenarioFiles();
const { command, path } = values.packed
  ? installed()
  : { command: `node '${join(ROOT, 'dist/cli.js')}'`, path: [] };

const columns = ['checks', 'calls', 'files', 'successes', 'errors', 'tasks'];
const row = (cells) => console.log(cells.map((cell, at) => String(cell).padEnd(at < 2 ? 12 : 10)).join(''));
row(['client', 'scenario', ...columns, 'seconds', 'tokens given']);
let complaints = 0;
for (const scenario of values.scenario ?? Object.keys(scenarios))
  for (const client of values.client) {
    const known = clients[client];
    if (!known) throw new Error(`${client}: not installed in ${values.clients}`);
    const run = oneRun({
      ...known,
      client,
      scenario: scenarios[scenario],
      harness: resolve(values.harness),
      out: join(out, `${scenario}-${client}`),
      command,
      path: [...path, join(ROOT, 'node_modules/.bin')],
    });
    const tallies = columns.map((name) => (run[name] ? `${run[name].right}/${run[name].of}` : '-'));
    row([client, scenario, ...tallies, run.seconds, (run.tokens ?? []).join(' ')]);
    const over = (run.tokens ?? []).filter((tokens) => tokens > TOKENS);
    for (const line of [...run.complaints, ...over.map((tokens) => `${tokens} tokens given in a session`)]) {
      complaints += 1;
      console.log(`  ${line}`);
    }
  }
console.log(`${complaints} complaints; everything is in ${out}`);
process.exitCode = complaints === 0 ? 0 : 1;

/** What `install-clients.sh` tells of the clients. */
function clientsIn(folder) {
  const text = readFileSync(join(folder, 'clients.env'), 'utf8');
  const told = Object.fromEntries(
    [...text.matchAll(/^(\w+)=(.*)$/gmu)].map(([, name, value]) => [name, value]),
  );
  const { QWEN_BIN, QWEN_OLD_BIN, CLAUDE_BIN, NODE22 } = told;
  const here = process.execPath;
  return {
    ...(QWEN_BIN && { qwen: { bin: QWEN_BIN, node: NODE22 } }),
    ...(QWEN_OLD_BIN && { 'qwen-old': { bin: QWEN_OLD_BIN, node: here } }),
    ...(CLAUDE_BIN && { claude: { bin: CLAUDE_BIN, node: here } }),
  };
}

/** The judged scenario, and ours as files of the same form. */
async function scenarioFiles() {
  const files = { [JUDGED]: join(resolve(values.harness), 'scenarios', `${JUDGED}.json`) };
  for (const name of readdirSync(OWN).sort()) {
    const { default: scenario } = await import(new URL(name, OWN));
    if (!scenario) continue;
    files[scenario.name] = join(out, `${scenario.name}.json`);
    writeFileSync(files[scenario.name], JSON.stringify(scenario, null, 2));
  }
  return files;
}

/** The package as users get it, installed where the folder has a space. */
function installed() {
  const prefix = join(out, 'prefix');
  const npm = (...args) =>
    execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const packed = npm('pack', '--silent', '--pack-destination', out).trim().split('\n').at(-1);
  npm('install', '--global', '--prefix', prefix, '--no-audit', '--no-fund', '--silent', join(out, packed));
  const bin = join(prefix, 'bin');
  return { command: `'${join(bin, 'codewalk')}'`, path: [bin] };
}
