// Indexes of hostile files, each into a home of its own: in the command's process and through a daemon by turns. Tells
// how each process ended; what must not be is a signal, INTERNAL, a thread that was killed, or an exit code other than
// 0. `--load` keeps all cores busy beside it, `--jobs` is how many run at once.
// Run: npm run build && node bench/exits.mjs [--runs 500] [--load] [--jobs 1] [--only REGEXP] [--json] [--library FILE]
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { flag, inScratch, libraryFile, option } from './lib/measure.mjs';

const lines = (count, line) => `${Array.from({ length: count }, (_, i) => line(i)).join('\n')}\n`;
const nested = (count, open, middle, close) => open.repeat(count) + middle + close.repeat(count);

/**
 * At most a few seconds each. The first ones fill the log of a store with more than 4 MiB, so that it is compacted when it is
 * closed; the next ones are wide, then deep, then cyclic.
 */
const FILES = {
  'interfaces.ts': lines(2600, (i) => `interface C${i} extends C${i + 1}{x:C${i + 1}}`),
  'long-names.ts': lines(300, (i) => `export function ${'x'.repeat(2000)}${i}(){}`),
  'long-names.py': lines(300, (i) => `def ${'x'.repeat(2000)}${i}(): pass`),
  'methods.ts': `class A{\n${lines(700, (i) => ` m${i}(){this.m${i + 1}()}`)}}\n`,
  'imports.ts': lines(700, (i) => `import {a${i}} from './b${i}';`),
  'one-name.ts': lines(300, () => 'export function f(){f()}'),
  'one-name.py': lines(300, () => 'x = x'),
  'classes.ts': `${lines(300, (i) => `class C${i} extends C${i + 1}{m(){this.m()}}`)}class C300 extends C0{}`,
  'classes.py': lines(300, (i) => `class C${i}(C${i + 1}):\n  def m(self): self.m()`),
  'functions.ts': nested(400, 'function f(){', '', '}'),
  'objects.ts': `const a=${nested(2000, '{a:', '1', '}')}`,
  'arrays.ts': `const a=${nested(5000, '[', '1', ']')}`,
  'calls.ts': nested(1000, 'f(', '', ')'),
  'elements.tsx': `x=${nested(1000, '<A>', '', '</A>')}`,
  'brackets.py': `a=${nested(5000, '(', '1', ')')}\n`,
  'templates.vue': `<template>${nested(500, '<div v-if="a">', '', '</div>')}</template>`,
  'package.json': `{"a":${nested(5000, '{"a":', '1', '}')}}`,
  'star.ts': lines(300, () => "export * from './star';"),
};

const DIST = dirname(libraryFile());
/** A process that has not ended by then hangs, however busy the machine is: it is killed, and told apart as late. */
const PATIENCE_MS = 600_000;
const WRONG = { internal: /\bINTERNAL\b|call stack/, killed: /WALKER_KILLED|was given up/ };

process.exitCode = await inScratch('exits', run);

async function run(scratch) {
  const only = new RegExp(option('only', ''));
  const names = Object.keys(FILES).filter((name) => only.test(name));
  for (const name of names) {
    mkdirSync(join(scratch, 'roots', name, '.git'), { recursive: true });
    writeFileSync(join(scratch, 'roots', name, name), FILES[name]);
  }
  const load = flag('load') ? Array.from({ length: availableParallelism() }, busy) : [];
  const found = {
    runs: Number(option('runs', 500)),
    ends: {},
    longest: 0,
    internal: 0,
    killed: 0,
    wrong: [],
  };
  let next = 0;
  const job = async () => {
    for (let turn = next++; turn < found.runs; turn = next++) {
      const name = names[turn % names.length];
      // Each file goes both ways, whatever their number is.
      const way = (turn + Math.floor(turn / names.length)) % 2 === 0 ? embedded : throughDaemon;
      const home = join(scratch, `home-${turn}`);
      const env = { ...process.env, HOME: scratch, GRAPHS_HOME: home };
      for (const end of await way(join(scratch, 'roots', name), home, env))
        count(found, end, `run ${turn}, ${way.name} ${name}`);
      rmSync(home, { recursive: true, force: true });
    }
  };
  try {
    await Promise.all(Array.from({ length: Number(option('jobs', 1)) }, job));
  } finally {
    for (const child of load) child.kill('SIGKILL');
  }
  if (flag('json')) console.log(JSON.stringify(found));
  else tell(found);
  return found.wrong.length > 0 ? 1 : 0;
}

async function embedded(root, _, env) {
  return [await ended(start('cli.js', ['--embedded', 'index', root, '--json'], env))];
}

/** The daemon is a child of ours, so that its end is seen, too. */
async function throughDaemon(root, home, env) {
  const daemon = start('daemon.js', ['--home', home], env);
  const left = ended(daemon);
  const isReady = () =>
    existsSync(join(home, 'daemon.json')) || daemon.exitCode !== null || daemon.signalCode !== null;
  while (!isReady()) await sleep(20);
  const command = await ended(start('cli.js', ['index', root, '--json'], env));
  daemon.kill('SIGTERM');
  return [command, await left];
}

function start(script, args, env) {
  return spawn(process.execPath, [join(DIST, script), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Ends with this process, however that ends. */
function busy() {
  const loop = 'const { ppid } = process; while (process.ppid === ppid);';
  return spawn(process.execPath, ['-e', loop], { stdio: 'ignore' });
}

/** How a process ends: its exit code or its signal, after how many seconds, and all that it said. */
function ended(child) {
  const from = performance.now();
  let said = '';
  let isLate = false;
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
  const late = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, PATIENCE_MS);
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (code, signal) => {
      clearTimeout(late);
      const seconds = (performance.now() - from) / 1000;
      const script = basename(child.spawnargs[1]);
      done({ how: isLate ? 'late' : (signal ?? `exit ${code}`), script, seconds, said });
    });
  });
}

function count(found, { how, script, seconds, said }, what) {
  found.longest = Math.max(found.longest, seconds);
  found.ends[how] = (found.ends[how] ?? 0) + 1;
  const faults = Object.keys(WRONG).filter((kind) => WRONG[kind].test(said));
  for (const kind of faults) found[kind] += 1;
  if (how !== 'exit 0' || faults.length > 0)
    found.wrong.push({ what, script, seconds, how, faults, said: said.slice(-300) });
}

function tell({ runs, ends, longest, internal, killed, wrong }) {
  for (const { what, script, seconds, how, faults, said } of wrong)
    console.log(
      `WRONG: ${what}: ${script} after ${seconds.toFixed(0)} s: ${[how, ...faults].join(', ')}: ${said}`,
    );
  const all = Object.entries(ends).map(([how, times]) => `${how} ${times} times`);
  console.log(`${runs} indexes${flag('load') ? ' under load' : ''}: ${all.join(', ')}`);
  console.log(`INTERNAL ${internal}, killed ${killed}; the longest process took ${longest.toFixed(0)} s`);
}
