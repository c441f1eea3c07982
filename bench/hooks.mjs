/*
 * What a recorder costs an agent, in wall time: `node bench/hooks.mjs [--runs N]`. Build first.
 *
 * In turns, one at a time and eight at once, each with a payload of 4 KB: `sh -c :` and `node -e 0` (what starting
 * alone costs), a bare write and rename in sh, and both recorders. Medians, and what multiple of the start they are.
 */
import { spawn } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inScratch, option, p50 } from './lib/measure.mjs';

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
