import { anyObject, LIMITS } from '../../../schema/index.js';

const { cypherNesting } = LIMITS;

/** The input field of a Cypher query's parameters. */
export function parametersField() {
  return anyObject
    .refine((given) => !isDeeper(given, cypherNesting.max), `at most ${cypherNesting.max} levels deep`)
    .default({})
    .describe('Values of $names');
}

/** Whether JSON is nested deeper than so many levels: asked level by level, since what asks by calls would run out of them. */
function isDeeper(json: unknown, most: number): boolean {
  let level: readonly unknown[] = [json];
  for (let depth = 0; depth <= most && level.length > 0; depth++)
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  return level.length > 0;
}
