import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROJECT, Scratch } from './scratch.js';

/*
 * Every command on a page prints what the page says, but for the time, in the project that the page shows. A section is
 * added by writing it there, with an empty block of text under each command; UPDATE_GOLDEN=1 fills the blocks.
 */
const FILE = /<!-- file: (\S+) -->\n```\w+\n([\s\S]*?)```/g;
const EXAMPLE = /```sh\ncodewalk (.+)\n```\n\n```text\n([\s\S]*?)```/g;
const WORD = /'([^']*)'|"([^"]*)"|(\S+)/g;

describe.each(['memories', 'questions'])('docs/how-to/%s.md', (name) => {
  const page = fileURLToPath(new URL(`../../docs/how-to/${name}.md`, import.meta.url));
  const text = readFileSync(page, 'utf8');
  const files = [...text.matchAll(FILE)].map(([, path, content]) => [path, content]);
  const scratch = new Scratch();
  const project = scratch.write(
    'documented',
    files.length > 0 ? Object.fromEntries(files) : { ...PROJECT, 'package.json': '{}\n' },
  );
  const examples = [...text.matchAll(EXAMPLE)].map(([block, line = '', printed = '']) => ({
    block,
    line,
    printed,
  }));
  let updated = text;

  beforeAll(async () => {
    if (files.length > 0) await scratch.run(['index', '--quiet'], { cwd: project });
  });
  afterAll(async () => {
    await scratch.remove();
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(page, updated);
  });

  it.each(examples)('codewalk $line', async ({ block, line, printed }) => {
    const words = [...line.matchAll(WORD)].map(
      ([, single, double, plain]) => single ?? double ?? plain ?? '',
    );
    const { code, stdout, stderr } = await scratch.run(words, { cwd: project });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const shown = stdout.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, '2026-11-22 09:00');
    const filled = block.replace(/```text\n[\s\S]*$/, () => `\`\`\`text\n${shown}\`\`\``);
    updated = updated.replace(block, () => filled);
    if (process.env.UPDATE_GOLDEN !== '1') expect(shown).toBe(printed);
  });

  it('has examples', () => {
    expect(examples.length).toBeGreaterThan(7);
  });
});
