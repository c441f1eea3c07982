import { expect, test } from 'vitest';
import { answer } from '../../host/index.js';
import { CachedAnswers } from '../../walkers/kept-answers.js';
import { indexed, write } from './project.js';

test('an answer is kept for the version that gave it, and none for a run that may change the graph', () => {
  const kept = new CachedAnswers<string>();
  kept.keep({ version: 1 }, 'a', 'one');
  const found = (version: number | null, input = 'a') => kept.find({ version }, input);
  expect([found(1), found(1, 'b'), found(2)]).toEqual(['one', undefined, undefined]);
  kept.keep({ version: 2 }, 'a', 'two');
  kept.keep({ version: null }, 'a', 'three');
  expect([found(1), found(2), found(null)]).toEqual([undefined, 'two', undefined]);
});

test('when the answers are too long together, the latest stays', () => {
  const kept = new CachedAnswers<string>();
  for (const input of ['a', 'b', 'c']) kept.keep({ version: 1 }, input, input.repeat(3_000_000));
  expect(['a', 'b', 'c'].map((input) => kept.find({ version: 1 }, input)?.[0])).toEqual([
    undefined,
    undefined,
    'c',
  ]);
});

test('the context of a file is made again when something was recorded, indexed or changed on disk', async () => {
  const { graph, root } = await indexed({
    'src/a.ts': 'export function first() { return 1; }\n',
    'src/b.ts': "import { first } from './a.js';\nexport const second = first();\n",
  });
  const asked = async () => answer(graph, 'graph_context_for_files', { file_paths: ['src/a.ts'] });
  const made = await asked();
  const again = await asked();
  expect(again.body).toEqual(made.body);
  expect(again.figures.visits).toBe(0);
  await answer(graph, 'etg_log_event', {
    task_id: null,
    kind: 'task_start',
    payload: { user_prompt: 'mend first' },
  });
  expect((await asked()).figures.visits).toBeGreaterThan(0);
  write({ 'src/a.ts': 'export function first() { return 2; }\n' }, root);
  const changed = await asked();
  expect(changed.figures.visits).toBeGreaterThan(0);
  expect(changed.markdown).toContain('changed on disk');
});
