import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Json, Random } from './random.js';
import { Fault } from './target.js';
import { planted } from './targets/planted.js';

/** What a child is asked: to make the input of a seed and try it, or only to make it; or to try one that is given. */
export type Ask = { readonly seed: number; readonly run: boolean } | { readonly input: Json };

/** What a child answers. */
export type Answer =
  | { readonly kind: 'open' }
  | { readonly kind: 'held' }
  | { readonly kind: 'made'; readonly input: Json }
  | { readonly kind: 'fault'; readonly invariant: string; readonly message: string };

/** One target in a process of its own: whatever it does to that, the others go on. */
export async function serveTrials(name: string): Promise<void> {
  // Dozens of processes try what is planted, until its faults are small: they load nothing else.
  const known = name === planted.name ? [planted] : (await import('./targets/index.js')).TARGETS;
  const target = known.find((one) => one.name === name);
  if (!target) throw new Error(`there is no target ${name}`);
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const scratch = mkdtempSync(join(tmpdir(), `codewalk-fuzz-${name}-`));
  process.on('exit', () => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }));
  const answer = (message: Answer) => process.send?.(message);
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (thrown: unknown) => {
      process.send?.({ kind: 'fault', ...toldOf(thrown), invariant: event }, () => process.exit(70));
    });
  const trial = await target.open({ scratch, root, dist: join(root, 'dist') });
  process.on('message', async (ask: Ask) => {
    try {
      const input = 'input' in ask ? ask.input : trial.generate(new Random(ask.seed));
      if ('run' in ask && !ask.run) {
        answer({ kind: 'made', input });
        return;
      }
      await trial.run(input);
      // What was thrown where nobody waits for it comes now, and not in the next one's time.
      await new Promise((done) => setImmediate(done));
      answer({ kind: 'held' });
    } catch (thrown) {
      answer({ kind: 'fault', ...toldOf(thrown) });
    }
  });
  process.on('disconnect', async () => {
    await trial.close?.();
    process.exit(0);
  });
  answer({ kind: 'open' });
}

function toldOf(thrown: unknown): { invariant: string; message: string } {
  if (thrown instanceof Fault) return { invariant: thrown.invariant, message: thrown.message };
  const stack = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  // Places are those of a bundle that is gone when somebody reads it.
  const lines = stack.split('\n').map((line) => line.replace(/^(\s+at [^(]*[^(\s]) \(.*$/u, '$1'));
  return { invariant: 'no-crash', message: lines.slice(0, 8).join('\n') };
}
