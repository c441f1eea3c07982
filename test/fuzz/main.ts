import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { serveTrials } from './child.js';
import { type Finding, Run, replayed } from './driver.js';
import { killAll, LONGEST } from './runner.js';
import type { Target } from './target.js';

const helpOf = (
  targets: readonly Target[],
) => `npm run fuzz -- [--minutes N | --inputs N] [--seed S] [--only TARGET,…] [--jobs N] [--longest SECONDS] [--crashes DIR] [--json]
npm run fuzz -- --replay [--only TARGET,…] [--longest SECONDS] [--crashes DIR] [--json]

Tries inputs by chance on: ${targets
  .filter(({ weight }) => weight > 0)
  .map(({ name }) => name)
  .join(', ')}.
The same seed, the same inputs; --inputs: so many of each, however long it takes. What breaks an invariant is made small and kept in test/fuzz/crashes/; --replay tries
what is kept. Exit code 1: something was found.
`;

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRESS_MS = process.stderr.isTTY ? 500 : 15_000;

const [first, name] = process.argv.slice(2);
if (first === 'child') await serveTrials(name ?? '');
else process.exitCode = await main();

async function main(): Promise<number> {
  const { TARGETS } = await import('./targets/index.js');
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '2' },
      inputs: { type: 'string' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      only: { type: 'string' },
      jobs: { type: 'string', default: '2' },
      longest: { type: 'string', default: String(LONGEST / 1000) },
      crashes: { type: 'string', default: join(ROOT, 'test/fuzz/crashes') },
      replay: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const only = values.only?.split(',');
  const targets = TARGETS.filter(({ name, weight }) => only?.includes(name) ?? weight > 0);
  const unknown = only?.filter((name) => !TARGETS.some((target) => target.name === name)) ?? [];
  const [minutes, seed, jobs] = [Number(values.minutes), Number(values.seed), Number(values.jobs)];
  if (values.help || unknown.length > 0 || !(minutes > 0) || !(jobs >= 1) || !Number.isInteger(seed)) {
    const help = helpOf(TARGETS);
    process.stderr.write(unknown.length > 0 ? `there is no target ${unknown.join(', ')}\n\n${help}` : help);
    return values.help ? 0 : 2;
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  process.once('exit', killAll);
  const { crashes } = values;
  const longest = Number(values.longest) * 1000;
  const inputs = values.inputs === undefined ? null : Number(values.inputs);
  const program = fileURLToPath(import.meta.url);
  if (values.replay) {
    const { tried, findings } = await replayed(
      program,
      crashes,
      (name) => only?.includes(name) ?? true,
      longest,
    );
    const summary = `${tried} kept inputs, ${findings.length} that break an invariant`;
    return told(values.json, { tried, findings }, [summary, ...findings.map(line)]);
  }
  let last = performance.now();
  const onProgress = (text: string) => {
    if (performance.now() - last < PROGRESS_MS) return;
    last = performance.now();
    process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${text}` : `${text}\n`);
  };
  const options = { program, root: ROOT, targets, seed, minutes, inputs, longest, jobs, crashes, onProgress };
  const run = new Run(options);
  await run.go();
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  const tallies = [...run.tallies.values()];
  const rows = tallies.map(
    ({ name, inputs, seconds, again, late }) =>
      `${name.padEnd(12)} ${String(inputs).padStart(8)} inputs in ${seconds.toFixed(0).padStart(4)} s` +
      `${again > 0 ? `, ${again} that fail as another one` : ''}${late > 0 ? `, ${late} late while the machine was busy` : ''}`,
  );
  const summary = `seed ${seed}: ${run.findings.length} faults`;
  return told(values.json, { seed, minutes, targets: tallies, findings: run.findings }, [
    ...rows,
    summary,
    ...run.findings.map(line),
  ]);
}

function line({ target, invariant, message, seed, nth, file }: Finding): string {
  const place = file ?? `not again by itself: input ${nth} of seed ${seed}`;
  return `\n${target}  ${invariant}  ${place}\n  ${message.split('\n').slice(0, 6).join('\n  ')}`;
}

function told(
  asJson: boolean,
  result: { readonly findings: readonly Finding[]; [more: string]: unknown },
  lines: readonly string[],
): number {
  process.stdout.write(asJson ? `${JSON.stringify(result, null, 2)}\n` : `${lines.join('\n')}\n`);
  return result.findings.length > 0 ? 1 : 0;
}
