/*
 * What hooks cost an agent, in wall time: `node bench/hooks.mjs [--runs N] [--project DIR]`. Build first.
 *
 * In turns, one at a time and eight at once, each with a payload of 4 KB: `sh -c :` and `node -e 0` (what starting
 * alone costs), a bare write and rename in sh, and both recorders. Medians, and what multiple of the start they are.
 *
 * Then the commands that `codewalk install qwen` writes, in a project (default: this repository) that is indexed and has
 * a history: those that only record, and those that answer, with how many did. For the bars of C-02 and C-03 an idle
 * machine is needed: the load is printed.
 */
import { spawn } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InstalledQwen } from './lib/installed-hooks.mjs';
import { inScratch, option, p50, quantile } from './lib/measure.mjs';

const runs = Number(option('runs', 60));
const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const payload = JSON.stringify({
  kind: 'tool_end',
  payload: { tool_name: 'edit', stdout: 'x'.repeat(4000) },
});

await inScratch('hooks', async (home) => {
  const arguments_ = ['--root', home, '--home', home];
  const commands = {
    'sh -c :': ['sh', '-c', ':'],
    'write and rename': ['sh', '-c', 'cat >"$0/a.$$"; mv "$0/a.$$" "$0/b.$$"', home],
    'codewalk-record': [join(dist, 'record.sh'), ...arguments_],
    'node -e 0': [process.execPath, '-e', '0'],
    'codewalk record': [process.execPath, join(dist, 'cli.js'), 'record', ...arguments_],
  };
  for (const atOnce of [1, 8]) {
    const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
    // Turn by turn, so that whatever else the machine does falls on all of them.
    for (let run = -1; run < Math.ceil(runs / atOnce); run++)
      for (const [name, command] of Object.entries(commands)) {
        const all = await Promise.all(Array.from({ length: atOnce }, () => wall(command)));
        if (run >= 0) times[name].push(...all);
      }
    console.log(`${atOnce} at once`);
    for (const [name, all] of Object.entries(times)) {
      const start = name.startsWith('node') || name === 'codewalk record' ? 'node -e 0' : 'sh -c :';
      const ratio = p50(all) / p50(times[start]);
      console.log(
        `  ${name.padEnd(18)} ${p50(all).toFixed(2).padStart(8)} ms   ${ratio.toFixed(1)} x ${start}`,
      );
    }
  }
  const recorded = readdirSync(join(home, 'journal', 'new')).length;
  console.log(`${recorded} events in the journal`);
  rmSync(join(home, 'journal'), { recursive: true });
});

await inScratch('installed', async (folder) => {
  const project = resolve(option('project', fileURLToPath(new URL('..', import.meta.url))));
  const user = new InstalledQwen(folder, project);
  user.codewalk('index', project);
  await user.remember(Number(option('history', 5)));
  const files = user.files();
  const shell = { tool_name: 'run_shell_command', tool_input: { command: 'node --test test/' } };
  const failed = user.recorded().find(({ error = '' }) => error.includes('Exit Code: 1'));
  const read = (run) => ({
    tool_name: 'read_file',
    tool_input: { file_path: files[run % files.length] },
    tool_response: { llmContent: 'x'.repeat(4000) },
  });
  const calls = {
    'records: stop': () => user.fire('Stop', { last_assistant_message: 'Done.' }),
    'records: passing run': () =>
      user.fire('PostToolUse', { ...shell, tool_response: { llmContent: 'Exit Code: 0' } }),
    'drops: empty prompt': () => user.fire('UserPromptSubmit', { prompt: '' }),
    'answers: session start': () => user.fire('SessionStart', { source: 'startup' }),
    'answers: prompt': () =>
      user.fire('UserPromptSubmit', { prompt: 'applyDiscount treats a percentage as a fraction: mend it' }),
    'answers: read file': (run) => user.fire('PostToolUse', read(run)),
    'answers: failure': () => user.fire('PostToolUseFailure', { ...shell, error: failed.error }),
  };
  const starts = { 'sh -c :': ['sh', '-c', ':'], 'node -e 0': [process.execPath, '-e', '0'] };
  const times = Object.fromEntries([...Object.keys(starts), ...Object.keys(calls)].map((name) => [name, []]));
  const answered = {};
  for (let run = -1; run < runs; run++) {
    for (const [name, command] of Object.entries(starts)) {
      const ms = await wall(command);
      if (run >= 0) times[name].push(ms);
    }
    for (const [name, call] of Object.entries(calls)) {
      const { ms, said } = await call(run + 1);
      if (run < 0) continue;
      times[name].push(ms);
      answered[name] = (answered[name] ?? 0) + (said === '' ? 0 : 1);
    }
  }
  user.codewalk('stop');
  times['records: dead daemon'] = [];
  for (let run = 0; run < runs; run++)
    times['records: dead daemon'].push((await calls['records: stop']()).ms);
  user.codewalk('stop');
  console.log(`installed hooks, load ${loadavg()[0].toFixed(1)}${' '.repeat(9)}p50         p99`);
  for (const [name, all] of Object.entries(times)) {
    const start = name.startsWith('answers') || name.startsWith('node') ? 'node -e 0' : 'sh -c :';
    const cells = [p50(all), quantile(all, 0.99)].map((ms) => `${ms.toFixed(1).padStart(8)} ms`);
    const ratio = `${(p50(all) / p50(times[start])).toFixed(1)} x ${start}`;
    const share = name.startsWith('answers') ? `   answered ${answered[name]} of ${all.length}` : '';
    console.log(`  ${name.padEnd(24)}${cells.join(' ')}   ${ratio}${share}`);
  }
});

/** Milliseconds from before the start of a process to its end. */
function wall([command, ...args]) {
  const from = performance.now();
  const child = spawn(command, args, { stdio: ['pipe', 'ignore', 'inherit'] });
  child.stdin.on('error', () => undefined);
  child.stdin.end(payload);
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('exit', (code) =>
      code === 0 ? done(performance.now() - from) : fail(new Error(`${command} ${args[0]}: exit ${code}`)),
    );
  });
}
