import { expect, test } from 'vitest';
import { answer } from '../../../host/index.js';
import { openGraph } from '../../../index.js';

type Refused = readonly (readonly [field: string, value: unknown, said: string])[];

/** Values of a name that every question refuses. */
const NO_NAME: Refused = [
  ['', '', 'it is empty (given: "")'],
  ['', ' \t\n ', 'it is empty (given: " \\t\\n ")'],
  ['', undefined, ' is missing'],
  ['', 7, 'expected text, got a number (given: 7)'],
];
/** The name's field of each walker, and what the interface refuses (S0-01 to S0-16) with what the error says of it. */
const WALKERS: Readonly<Record<string, readonly [name: string, Refused]>> = {
  query_callers: [
    'function_name',
    [
      ['max_depth', 0, 'it is at least 1 (given: 0)'],
      ['max_depth', 6, 'it is at most 5 (given: 6)'],
      ['max_depth', 1.5, 'expected a whole number (given: 1.5)'],
      ['max_depth', '2', 'expected a number, got text (given: "2")'],
      ['include_paths', 'no', 'expected true or false, got text (given: "no")'],
      ['max_tokens', 20_001, 'it is at most 20000 (given: 20001)'],
      ['scope', '  ', 'it is empty (given: "  ")'],
      ['depth', 2, ''],
    ],
  ],
  query_call_graph: [
    'entry_point',
    [
      ['max_depth', 0, 'it is at least 1 (given: 0)'],
      ['max_depth', 6, 'it is at most 5 (given: 6)'],
      ['max_depth', '3', 'expected a number, got text (given: "3")'],
      ['max_nodes', 0, 'it is at least 1 (given: 0)'],
      ['max_nodes', 101, 'it is at most 100 (given: 101)'],
      ['max_nodes', 2.5, 'expected a whole number (given: 2.5)'],
    ],
  ],
  query_dependencies: [
    'target',
    [
      ['dependency_type', 'uses', '(given: "uses")'],
      ['dependency_type', null, '(given: null)'],
      ['include_transitive', 1, 'expected true or false, got a number (given: 1)'],
    ],
  ],
  query_hierarchy: [
    'class_name',
    [
      ['direction', 'sideways', ''],
      ['direction', 'UP', ''],
      ['max_depth', 0, 'it is at least 1 (given: 0)'],
      ['max_depth', 11, 'it is at most 10 (given: 11)'],
      ['max_depth', '2', 'expected a number, got text (given: "2")'],
      ['format', 'svg', ''],
      ['max_tokens', 0, 'it is at least 1 (given: 0)'],
      ['other', 1, ''],
    ],
  ],
  query_implementations: ['interface_name', [['include_indirect', 'yes', 'expected true or false']]],
  graph_node: ['id', []],
};
const ROWS = Object.entries(WALKERS).flatMap(([walker, [name, refused]]) => [
  ...NO_NAME.map(
    ([, value, said]) => [walker, name, value === undefined ? {} : { [name]: value }, said] as const,
  ),
  ...refused.map(([field, value, said]) => [walker, field, { [name]: 'x', [field]: value }, said] as const),
]);

test.each([
  ...ROWS,
  ['query_cycles', 'cycle_type', { cycle_type: 'import' }, ''],
  ['query_cycles', 'cycle_type', { cycle_type: 1 }, ''],
  ['query_cycles', 'scope', { scope: ' ' }, 'it is empty (given: " ")'],
  ['query_cycles', 'x', { x: 1 }, ''],
] as const)('%s refuses a value of %s: %j', async (walker, field, input, said) => {
  await using graph = await openGraph(':memory:');
  const error = await answer(graph, walker, input).catch((thrown) => thrown);
  expect(error).toMatchObject({ code: 'INVALID_INPUT', providedInput: input });
  expect(error.message).toContain(field);
  expect(error.message).toContain(said);
});
