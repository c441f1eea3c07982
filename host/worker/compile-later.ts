import { setFlagsFromString } from 'node:v8';

/** How much bytecode a function runs, in bytes, before V8 optimises it; of itself it takes 67,584. */
const BUDGET = 500_000;

/**
 * Lets functions run longer before they are optimised, on Node 20. An index runs much code a little: much of its
 * processor time went to optimising what was hardly used then. Later versions have a cheaper step before, and gain
 * nothing. It holds for the whole process. `bench/index.mjs` measures it.
 */
export function compileLater(): void {
  if (process.versions.v8.startsWith('11.')) setFlagsFromString(`--interrupt-budget=${BUDGET}`);
}
