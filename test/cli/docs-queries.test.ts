import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Scratch } from './scratch.js';

/*
 * docs/how-to/questions.md: the project that it shows is made, and every command on it prints what the page says. A section is
 * added by writing it there, with an empty block of text under each command; UPDATE_GOLDEN=1 fills the blocks.
 */
const PAGE = fileURLToPath(new URL('../../docs/how-to/questions.md', import.meta.url));
const text = readFileSync(PAGE, 'utf8');
const FILE = /<!-- file: (\S+) -->\n```\w+\n([\s\S]*?)```/g;
const EXAMPLE = /```sh\ncodewalk (.+)\n```\n\n```text\n([\s\S]*?)```/g;

const scratch = new Scratch();
const project = scratch.write(
  'documented',
  Object.fromEntries([...text.matchAll(FILE)].map((m) => [m[1], m[2]])),
);
const examples = [...text.matchAll(EXAMPLE)].map(([block, line = '', printed = '']) => ({
  block,
  line,
  printed,
}));
let updated = text;

beforeAll(async () => {
  await scratch.run(['index', '--quiet'], { cwd: project });
});
afterAll(() => {
  scratch.remove();
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(PAGE, updated);
});

it.each(examples)('codewalk $line', async ({ block, line, printed }) => {
  const { code, stdout, stderr } = await scratch.run(wordsOf(line), { cwd: project });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  updated = updated.replace(block, () =>
    block.replace(/```text\n[\s\S]*$/, () => `\`\`\`text\n${stdout}\`\`\``),
  );
  if (process.env.UPDATE_GOLDEN !== '1') expect(stdout).toBe(printed);
});

it('the page has examples', () => {
  expect(examples.length).toBeGreaterThan(7);
});

/** The words of a command line; what stands between quotes is one. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  );
}
