import { expect, test } from 'vitest';
import { answer } from '../../../host/index.js';
import { openGraph } from '../../../index.js';

/** Every value that the interface rejects (S0-01 to S0-16), with what the error says of it. */
const REJECTED = [
  ['query_callers', { function_name: '' }, 'function_name: it is empty (given: "")'],
  ['query_callers', { function_name: ' \t\n ' }, 'function_name: it is empty (given: " \\t\\n ")'],
  ['query_callers', {}, 'function_name is missing'],
  ['query_callers', { function_name: 7 }, 'function_name: expected text, got a number (given: 7)'],
  ['query_callers', { function_name: 'x', max_depth: 0 }, 'max_depth: it is at least 1 (given: 0)'],
  ['query_callers', { function_name: 'x', max_depth: 6 }, 'max_depth: it is at most 5 (given: 6)'],
  [
    'query_callers',
    { function_name: 'x', max_depth: 1.5 },
    'max_depth: expected a whole number (given: 1.5)',
  ],
  [
    'query_callers',
    { function_name: 'x', max_depth: '2' },
    'max_depth: expected a number, got text (given: "2")',
  ],
  [
    'query_callers',
    { function_name: 'x', include_paths: 'no' },
    'include_paths: expected true or false, got text (given: "no")',
  ],
  [
    'query_callers',
    { function_name: 'x', max_tokens: 20_001 },
    'max_tokens: it is at most 20000 (given: 20001)',
  ],
  ['query_callers', { function_name: 'x', scope: '  ' }, 'scope: it is empty (given: "  ")'],
  ['query_callers', { function_name: 'x', depth: 2 }, 'depth'],
  ['query_call_graph', { entry_point: ' ' }, 'entry_point: it is empty (given: " ")'],
  ['query_call_graph', { entry_point: 'x', max_depth: 0 }, 'max_depth: it is at least 1 (given: 0)'],
  ['query_call_graph', { entry_point: 'x', max_depth: 6 }, 'max_depth: it is at most 5 (given: 6)'],
  [
    'query_call_graph',
    { entry_point: 'x', max_depth: '3' },
    'max_depth: expected a number, got text (given: "3")',
  ],
  ['query_call_graph', { entry_point: 'x', max_nodes: 0 }, 'max_nodes: it is at least 1 (given: 0)'],
  ['query_call_graph', { entry_point: 'x', max_nodes: 101 }, 'max_nodes: it is at most 100 (given: 101)'],
  [
    'query_call_graph',
    { entry_point: 'x', max_nodes: 2.5 },
    'max_nodes: expected a whole number (given: 2.5)',
  ],
  ['query_dependencies', { target: '' }, 'target: it is empty (given: "")'],
  ['query_dependencies', { target: 'x', dependency_type: 'uses' }, '(given: "uses")'],
  ['query_dependencies', { target: 'x', dependency_type: null }, '(given: null)'],
  [
    'query_dependencies',
    { target: 'x', include_transitive: 1 },
    'include_transitive: expected true or false, got a number (given: 1)',
  ],
  ['graph_node', { id: ' ' }, 'id: it is empty (given: " ")'],
] as const;

test.each(REJECTED)('%s rejects %j', async (walker, input, said) => {
  await using graph = await openGraph(':memory:');
  await expect(answer(graph, walker, input)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining(said),
    providedInput: input,
  });
});
