import { z } from 'zod';
import { compareText, type WriteContext } from '../../runtime/index.js';
import { LIMITS, SimilarStep, Step, TraceCursor } from '../../schema/index.js';
import { traceId } from './event-ids.js';
import { rememberedBy } from './record-context.js';

/*
 * Which steps are alike: those that touched the same files, and those that met the same failure. Steps of
 * one key form a chain in the order of their ids, so a step has two neighbours per key however many there are, and
 * the chains are what the steps are, whatever order they came in. A step is put into them when it ends, for then it
 * is known what it touched; what comes to an ended step later moves it.
 */

type Linking = Pick<WriteContext, 'nodesOf' | 'create' | 'connect' | 'disconnect' | 'del'>;

/** What two steps share, as a score: a failure says more about a step than its files. */
const SCORES = { files: 0.5, error: 0.8, both: 1 } as const;

const KeysState = z.object({
  fingerprints: z.array(z.string()).default([]),
  keys: z.array(z.string()).default([]),
});
const ChainState = z.object({ steps: z.array(z.string()).default([]) });

/** What is known of a step. */
export interface Likeness {
  readonly step: string;
  readonly ended: boolean;
  readonly files: readonly string[];
  /** Of failures that came now. */
  readonly fingerprints: readonly string[];
  /** Whether the failures are all there are, rather than one more. */
  readonly whole: boolean;
}

const keysId = (step: string): string => traceId('cursor', 'keys', step);
const chainId = (key: string): string => traceId('cursor', 'chain', key);

/** Puts a step where it belongs among those like it. */
export async function placeAmongSimilar(likeness: Likeness, context: Linking): Promise<void> {
  const { step, ended, files, whole } = likeness;
  const [node] = await context.nodesOf(TraceCursor, [keysId(step)]);
  const before = rememberedBy(KeysState, node);
  const all = [...(whole ? [] : before.fingerprints), ...likeness.fingerprints];
  const fingerprints = [...new Set(all)].sort(compareText).slice(0, LIMITS.similarKeys.max);
  const errors = fingerprints.map((fingerprint) => `error ${fingerprint}`);
  const keys = !ended ? [] : [...errors, ...(files.length > 0 ? [`files ${files.join('\0')}`] : [])];
  const same = keys.join('\n') === before.keys.join('\n');
  if (same && fingerprints.join('\n') === before.fingerprints.join('\n')) return;
  await context.create(TraceCursor({ state: { fingerprints, keys } }, { id: keysId(step) }));
  const pairs = new Map<string, readonly [string, string]>();
  for (const key of before.keys) if (!keys.includes(key)) await changeChain(key, step, false, pairs, context);
  for (const key of keys) if (!before.keys.includes(key)) await changeChain(key, step, true, pairs, context);
  for (const [a, b] of pairs.values()) await link(a, b, context);
}

/** Takes a step out of all chains: it is no more. */
export async function removeFromSimilar(step: string, context: Linking): Promise<void> {
  const nothing = { step, ended: false, files: [], fingerprints: [], whole: true };
  await placeAmongSimilar(nothing, context);
  await context.del((await context.nodesOf(TraceCursor, [keysId(step)])).filter(({ gone }) => !gone));
}

async function changeChain(
  key: string,
  step: string,
  joins: boolean,
  pairs: Map<string, readonly [string, string]>,
  context: Linking,
): Promise<void> {
  const before = await chainOf(key, context);
  const others = before.filter((id) => id !== step);
  const steps = (joins ? [...others, step].sort(compareText) : others).slice(0, LIMITS.similarSteps.max);
  await context.create(TraceCursor({ state: { steps } }, { id: chainId(key) }));
  for (const chain of [before, steps])
    for (const [at, a] of chain.entries()) {
      const b = chain[at + 1];
      if (b !== undefined && (a === step || b === step || isNew(before, a, b) || isNew(steps, a, b)))
        pairs.set(`${a}\0${b}`, [a, b]);
    }
}

/** Whether two steps are no neighbours in a chain. */
function isNew(chain: readonly string[], a: string, b: string): boolean {
  const at = chain.indexOf(a);
  return at < 0 || chain[at + 1] !== b;
}

async function chainOf(key: string, { nodesOf }: Linking): Promise<readonly string[]> {
  const [chain] = await nodesOf(TraceCursor, [chainId(key)]);
  return rememberedBy(ChainState, chain).steps;
}

/** Joins two steps by what they are neighbours in, or parts them where they are none any more. */
async function link(a: string, b: string, context: Linking): Promise<void> {
  const [node] = await context.nodesOf(TraceCursor, [keysId(a)]);
  const kinds = new Set<string>();
  for (const key of rememberedBy(KeysState, node).keys)
    if (!isNew(await chainOf(key, context), a, b)) kinds.add(key.startsWith('error ') ? 'error' : 'files');
  const [from, to] = await context.nodesOf(Step, [a, b]);
  if (from === undefined || to === undefined || from.gone || to.gone) return;
  await context.disconnect(from, to, { edge: SimilarStep, direction: 'any' });
  if (kinds.size === 0) return;
  const score = kinds.size > 1 ? SCORES.both : kinds.has('error') ? SCORES.error : SCORES.files;
  await context.connect(from, to, SimilarStep({ score }), { undirected: true });
}
