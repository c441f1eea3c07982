import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { PROJECT, Scratch } from './scratch.js';

/*
 * docs/how-to/memories.md: every command on it prints what the page says, but for the time. UPDATE_GOLDEN=1 fills the blocks
 * under the commands.
 */
const PAGE = fileURLToPath(new URL('../../docs/how-to/memories.md', import.meta.url));
const EXAMPLE = /```sh\ncodewalk (.+)\n```\n\n```text\n([\s\S]*?)```/g;
const text = readFileSync(PAGE, 'utf8');
const scratch = new Scratch();
const project = scratch.write('documented', { ...PROJECT, 'package.json': '{}\n' });
const examples = [...text.matchAll(EXAMPLE)].map(([block, line = '', printed = '']) => ({
  block,
  line,
  printed,
}));
let updated = text;

afterAll(() => {
  scratch.remove();
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(PAGE, updated);
});

it.each(examples)('codewalk $line', async ({ block, line, printed }) => {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  const { code, stdout, stderr } = await scratch.run(words, { cwd: project });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const shown = stdout.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, '2026-11-22 09:00');
  updated = updated.replace(block, () =>
    block.replace(/```text\n[\s\S]*$/, () => `\`\`\`text\n${shown}\`\`\``),
  );
  if (process.env.UPDATE_GOLDEN !== '1') expect(shown).toBe(printed);
});

it('the page has examples', () => {
  expect(examples.length).toBeGreaterThan(7);
});
