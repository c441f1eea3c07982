import { compareText, type ReadContext } from '../../runtime/index.js';
import { append, LIMITS, Step, StepHasError, TraceError } from '../../schema/index.js';

/** Two steps that touched the same files or met the same failure. `from` is first by id. */
export interface SimilarSteps {
  readonly from: string;
  readonly to: string;
  readonly score: number;
}

/** A failure says more about a step than its files. */
const SCORES = { files: 0.5, error: 0.8, both: 1 };

/** The pairs of similar steps that have ended: neighbours by id in chains of steps that share a failure or all their files. */
export async function similarSteps({ find, q }: Pick<ReadContext, 'find' | 'q'>): Promise<SimilarSteps[]> {
  const steps = (await find(Step)).filter(({ ended_at }) => ended_at !== null);
  const errors = new Map((await find(TraceError)).map(({ id, fingerprint }) => [id, fingerprint]));
  const failures = new Map<string, string[]>();
  for (const { from, to } of await q(steps).out(StepHasError).edges()) {
    const fingerprint = errors.get(to);
    if (fingerprint) append(failures, from, fingerprint);
  }
  const chains = new Map<string, string[]>();
  for (const { id, files_touched } of [...steps].sort((a, b) => compareText(a.id, b.id))) {
    const own = [...new Set(failures.get(id))].sort(compareText).slice(0, LIMITS.similarKeys.max);
    for (const failure of own) append(chains, `error ${failure}`, id);
    if (files_touched.length > 0) append(chains, `files ${files_touched.join('\0')}`, id);
  }
  const pairs = new Map<string, SimilarSteps>();
  for (const [key, chain] of chains)
    for (const [at, to] of chain.entries()) {
      const from = chain[at - 1];
      if (from === undefined) continue;
      const score = key.startsWith('error ') ? SCORES.error : SCORES.files;
      const known = pairs.get(`${from}\0${to}`)?.score ?? score;
      pairs.set(`${from}\0${to}`, { from, to, score: known === score ? score : SCORES.both });
    }
  return [...pairs.values()];
}
