import { expect, test } from 'vitest';
import { relate, storeIn } from '../memory/memories.js';
import { indexed } from '../project.js';
import { PYTHON } from './shops.js';

/** The questions whose walkers go along edges, with something that a small project can be asked. */
const MOVING = {
  query_callers: { function_name: 'log' },
  query_references: { name: 'log' },
  query_call_graph: { entry_point: 'make' },
  query_dependencies: { target: 'src/auth/services.py' },
  query_hierarchy: { class_name: 'UserService' },
  query_implementations: { interface_name: 'Base' },
  query_cycles: { cycle_type: 'calls' },
  query_impact: { name: 'log' },
  query_tests: { name: 'log' },
  memory_related: { memory_id: 'one' },
  memory_path: { from_memory_id: 'one', to_memory_id: 'two' },
  memory_contextual_search: { memory_id: 'one', query: 'two' },
  memory_link: { from_memory_id: 'one', to_memory_id: 'two', relationship_type: 'REPLACES' },
};

test.each(Object.entries(MOVING))('%s visits more than where it starts', async (name, input) => {
  const { graph } = await indexed(PYTHON);
  for (const title of ['zero', 'one', 'two']) await storeIn(graph, title);
  await relate(graph, 'one SOLVES two', 'two REPLACES zero');
  const { figures } = await graph.spawn(name, null, input);
  expect(figures.visits).toBeGreaterThan(1);
});
