// What one hook passes through: of a failing command that an agent's hook reports, in a project with a history, counts the
// source files of ours of which a function ran, in the hook's process and in the daemon's, and the walkers that ran.
// Run: npm run build && node bench/hook-path.mjs [--list]
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { flag, inScratch } from './lib/measure.mjs';

const DIST = fileURLToPath(new URL('../dist/', import.meta.url));
const RECORDING = new URL('../test/hooks/recordings/qwen-js-cart.jsonl', import.meta.url);
const FIRST = new URL('lib/take-coverage.mjs', import.meta.url);
/** How often the recorded sessions happened before, under other names. */
const SESSIONS = 3;
/** Milliseconds in which a daemon that is idle has written what it ran. */
const SETTLED_MS = 2500;

await inScratch('hook-path', async (folder) => {
  const [project, home] = ['project', 'graphs'].map((name) => join(folder, name));
  const [ofHook, ofDaemon] = ['hook', 'daemon'].map((name) => join(folder, name));
  for (const one of [join(project, '.git'), home, ofHook, ofDaemon]) mkdirSync(one, { recursive: true });
  writeFileSync(join(project, 'package.json'), '{}');
  // An index would have the daemon start another thread meanwhile.
  writeFileSync(join(home, 'config.json'), '{"auto_index": false}');
  const mark = join(folder, 'mark');
  const daemon = spawn(process.execPath, ['--import', FIRST.href, join(DIST, 'daemon.js'), '--home', home], {
    env: { ...process.env, NODE_V8_COVERAGE: ofDaemon, CODEWALK_MARK: mark },
    stdio: 'inherit',
  });
  try {
    while (!existsSync(join(home, 'daemon.json'))) await sleep(50);
    const recorded = readFileSync(RECORDING, 'utf8').trim().replaceAll('/project', project).split('\n');
    const payloads = recorded.map((line) => JSON.parse(line));
    const failed = payloads.find(({ error = '' }) => error.includes('Exit Code: 1'));
    const fire = (payload, answer, env = {}) => {
      const options = answer ? ['--answer', process.execPath] : [];
      const args = [
        '--quiet',
        '--client',
        'qwen',
        '--cwd',
        project,
        '--home',
        home,
        ...options,
        '--deadline',
        '20000',
      ];
      const { stdout } = spawnSync(join(DIST, 'record.sh'), args, {
        input: JSON.stringify(payload),
        env: { ...process.env, ...env },
        encoding: 'utf8',
      });
      return stdout;
    };
    const failure = (session) => ({
      ...failed,
      session_id: session,
      prompt_id: `${session}########0`,
      tool_use_id: `${session}-call`,
      timestamp: new Date().toISOString(),
    });
    for (let at = 0; at < SESSIONS; at++)
      for (const payload of payloads) {
        const { session_id, prompt_id, tool_use_id } = payload;
        const own = { session_id: `${at}-${session_id}` };
        if (prompt_id) own.prompt_id = `${at}-${prompt_id}`;
        if (tool_use_id) own.tool_use_id = `${at}-${tool_use_id}`;
        fire({ ...payload, ...own }, false);
      }
    spawnSync(process.execPath, [join(DIST, 'cli.js'), 'tasks', '--root', project, '--home', home]);
    // What only the first question of a project needs is not what every hook costs.
    fire(failure('warm'), true);
    await sleep(SETTLED_MS);
    // Taking it fills the thread's heap, and another thread takes its place.
    for (const what of ['first', 'second']) await taken(mark, ofDaemon, what);
    const said = fire(failure('measured'), true, { NODE_V8_COVERAGE: ofHook });
    await sleep(SETTLED_MS);
    const after = await taken(mark, ofDaemon, 'after');
    const [hook, host] = [ranIn(ofHook, readdirSync(ofHook)), ranIn(ofDaemon, after)];
    const files = new Set([...hook.keys(), ...host.keys()]);
    console.log(`answered: ${said !== ''}`);
    console.log(`files of ours: ${files.size} (in the hook ${hook.size}, in the daemon ${host.size})`);
    console.log(`walkers that ran: ${host.get('runtime/graph.ts')?.get('spawn') ?? 0}`);
    if (flag('list')) console.log([...files].sort().join('\n'));
  } finally {
    daemon.kill('SIGKILL');
  }
});

/** Has every thread of the daemon write what ran since the last time; the names of what they wrote. */
async function taken(mark, folder, what) {
  const known = new Set(readdirSync(folder));
  writeFileSync(mark, what);
  await sleep(SETTLED_MS);
  return readdirSync(folder).filter((name) => !known.has(name));
}

/** How often each function ran, by name, by the source file that it is from. */
function ranIn(folder, names) {
  const ran = new Map();
  for (const name of names)
    for (const { url, functions } of JSON.parse(readFileSync(join(folder, name), 'utf8')).result) {
      if (!url.startsWith('file://') || !fileURLToPath(url).startsWith(DIST)) continue;
      const sourceAt = sourcesOf(readFileSync(fileURLToPath(url), 'utf8'));
      for (const { functionName, ranges } of functions) {
        const [{ startOffset, count }] = ranges;
        const source = sourceAt(startOffset);
        // A file that is loaded is no file that is passed through.
        if (count === 0 || source === null || startOffset === 0) continue;
        const calls = ran.get(source) ?? new Map();
        ran.set(source, calls.set(functionName, (calls.get(functionName) ?? 0) + count));
      }
    }
  return ran;
}

/** Finds the source file of a place in a bundle by the comments that esbuild writes before each; null where none of ours. */
function sourcesOf(text) {
  const starts = [...text.matchAll(/^\/\/ (\S+\.\w+)$/gmu)].map(({ index, 1: path }) => ({ index, path }));
  return (offset) => {
    const path = starts.findLast(({ index }) => index <= offset)?.path ?? '';
    return path.startsWith('node_modules/') || path.startsWith('..') || !basename(path).endsWith('.ts')
      ? null
      : path;
  };
}
