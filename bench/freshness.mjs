// Whether answers are ever silently old, asked through an MCP server as an agent would: a file is edited and asked
// about 100 ms later, again and again; with --from and --to the repository is switched between two revisions, both
// ways, and what the graph settles to is compared, byte for byte, with a first index.
// Run: npm run build && node bench/freshness.mjs REPOSITORY FILE [--edits 200] [--from REV --to REV] [--embedded] [--unwatched]
// --unwatched: something lies where the watcher's folder would be, so that every question looks at the files.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { inScratch, option } from './lib/measure.mjs';

const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const [repository, file] = process.argv.slice(2);
if (file === undefined || file.startsWith('--'))
  throw new Error('which files? node bench/freshness.mjs REPOSITORY FILE');
const edits = Number(option('edits', 200));
const from = option('from', null);
const to = option('to', null);
const embedded = process.argv.includes('--embedded') ? ['--embedded'] : [];
/** An index may take its time. */
const LONG = { timeout: 3_600_000 };

process.exitCode = (await inScratch('freshness', run)) ? 0 : 1;

async function run(scratch) {
  const root = join(scratch, 'repository');
  execFileSync('git', ['clone', '-q', resolve(repository), root]);
  const env = { ...process.env, GRAPHS_HOME: join(scratch, 'graphs') };
  const client = new Client({ name: 'bench', version: '1' });
  const args = [CLI, 'mcp', '--root', root, '--format', 'json', '--profile', 'all', ...embedded];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  const call = async (name, input, options) => {
    const started = performance.now();
    const { structuredContent, content } = await client.callTool(
      { name, arguments: input },
      undefined,
      options,
    );
    if (!structuredContent?.state) throw new Error(JSON.stringify(content));
    return { body: structuredContent, ms: performance.now() - started };
  };
  await call('graph_index_project', {}, LONG);
  if (process.argv.includes('--unwatched')) obstruct(env.GRAPHS_HOME);
  const isNeverOld = await edit(root, call);
  const isRight = from === null || to === null || (await switchBranches({ root, env, scratch }, call));
  if (embedded.length === 0) console.log(watching(env));
  await client.close();
  stopDaemon(env);
  return isNeverOld && isRight;
}

/** Puts a file where the watcher would have its folder. */
function obstruct(home) {
  for (const name of readdirSync(home))
    if (existsSync(join(home, name, 'project.json'))) writeFileSync(join(home, name, 'fence'), '');
}

/** Edits and asks; false when an answer was silently old. */
async function edit(root, call) {
  const path = join(root, file);
  const before = readFileSync(path, 'utf8');
  const [open, close] = file.endsWith('.py') ? ['def ', '():\n    pass\n'] : ['export function ', '() {}\n'];
  const counts = { fresh: 0, named: 0, unchecked: 0, old: 0 };
  const times = [];
  for (let at = 0; at < edits; at += 1) {
    writeFileSync(path, `${before}\n${open}made_now_${at}${close}`);
    await pause(100);
    const { body, ms } = await call('graph_context_for_files', {
      file_paths: [file],
      radius: 0,
      max_tokens: 20_000,
    });
    times.push(ms);
    const { pending_files = [], freshness } = body.state;
    if (JSON.stringify(body).includes(`made_now_${at}`)) counts.fresh += 1;
    else if (pending_files.includes(file)) counts.named += 1;
    else if (freshness === 'unchecked') counts.unchecked += 1;
    else counts.old += 1;
  }
  writeFileSync(path, before);
  times.sort((left, right) => left - right);
  const at = (share) => `${times[Math.floor(share * (times.length - 1))].toFixed(1)} ms`;
  console.log(`${edits} edits:`, JSON.stringify(counts), `p50 ${at(0.5)}, p99 ${at(0.99)}`);
  return counts.old === 0;
}

/** Switches there and back; false when the graph did not settle to that of a first index. */
async function switchBranches({ root, env, scratch }, call) {
  let isRight = true;
  const [there, back] = [from, to].map((name) =>
    execFileSync('git', ['rev-parse', name], { cwd: root, encoding: 'utf8' }).trim(),
  );
  for (const [turn, revision] of [there, back, there].entries()) {
    execFileSync('git', ['checkout', '-q', '--force', revision], { cwd: root });
    const started = performance.now();
    let answers = 0;
    for (let isSettled = false; !isSettled; answers += 1) {
      const { state } = (await call('graph_stats', {}, LONG)).body;
      isSettled = state.pending === 0 && state.freshness === undefined && state.indexed === undefined;
    }
    const ms = Math.round(performance.now() - started);
    const fresh = { ...env, GRAPHS_HOME: join(scratch, `fresh${turn}`) };
    execFileSync(process.execPath, [CLI, 'index', root], { env: fresh, stdio: 'ignore' });
    const isSame = exported(root, env).equals(exported(root, fresh));
    stopDaemon(fresh);
    console.log(
      `${revision}: settled in ${ms} ms (${answers} answers), ${isSame ? 'as' : 'NOT as'} a first index`,
    );
    isRight &&= isSame;
  }
  return isRight;
}

function exported(root, env) {
  const args = [CLI, 'export', root, '--layer', 'derived'];
  return execFileSync(process.execPath, args, { env, maxBuffer: 2 ** 31 - 1 });
}

/** What the daemon says of its watcher. */
function watching(env) {
  const status = execFileSync(process.execPath, [CLI, 'status', '--json'], { env, encoding: 'utf8' });
  const { pending, not_watched } = JSON.parse(status).projects[0];
  return not_watched ?? `watched, ${pending ?? 'an unknown number of'} pending`;
}

/** Where one runs: a command may have started it. */
function stopDaemon(env) {
  spawnSync(process.execPath, [CLI, 'stop'], { env, stdio: 'ignore' });
}
