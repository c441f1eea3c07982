import { AGGREGATE_FUNCTIONS } from './aggregation.js';
import { CONVERSION_FUNCTIONS } from './conversion.js';
import { ELEMENT_FUNCTIONS } from './elements.js';
import { LIST_FUNCTIONS } from './lists.js';
import { MATH_FUNCTIONS } from './math.js';
import { PREDICATE_FUNCTIONS } from './predicates.js';
import type { CypherFunction } from './signature.js';
import { TEMPORAL_FUNCTIONS } from './temporal.js';
import { TEXT_FUNCTIONS } from './text.js';

const ALL: readonly CypherFunction[] = [
  ...AGGREGATE_FUNCTIONS,
  ...CONVERSION_FUNCTIONS,
  ...ELEMENT_FUNCTIONS,
  ...LIST_FUNCTIONS,
  ...MATH_FUNCTIONS,
  ...PREDICATE_FUNCTIONS,
  ...TEMPORAL_FUNCTIONS,
  ...TEXT_FUNCTIONS,
];

/** Every function that a query may call, by its lowercased name. Quantifiers, reduce and shortestPath are syntax. */
export const FUNCTIONS: ReadonlyMap<string, CypherFunction> = new Map(
  ALL.map((entry) => [entry.name.toLowerCase(), entry]),
);
