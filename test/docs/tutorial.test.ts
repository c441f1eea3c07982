import { spawn } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { CLI, ended, Scratch } from '../cli/scratch.js';

/*
 * docs/tutorial.md: a shell runs each command in the project of the page, in order, and it prints what the page says.
 * Times, durations, ids and paths are masked. UPDATE_GOLDEN=1 fills the blocks under the commands.
 */
const PAGE = fileURLToPath(new URL('../../docs/tutorial.md', import.meta.url));
const FILE = /<!-- file: (\S+) -->\n```\w+\n([\s\S]*?)```/gu;
const EXAMPLE = /```sh\n(.+)\n```\n\n````text\n([\s\S]*?)````/gu;

const text = readFileSync(PAGE, 'utf8');
const scratch = new Scratch();
const project = scratch.write(
  'tutorial/shop',
  Object.fromEntries([...text.matchAll(FILE)].map(([, path = '', content = '']) => [path, content])),
);
scratch.write('tutorial/shop/.git', {
  HEAD: 'ref: refs/heads/main\n',
  'objects/.keep': '',
  'refs/.keep': '',
});
// A busy machine answers late; the text is the same.
const bin = scratch.write('bin', {
  codewalk: `#!/bin/sh\n[ "$1" != hook ] || set -- "$@" --deadline 60000\nexec '${process.execPath}' '${CLI}' "$@"\n`,
});
chmodSync(join(bin, 'codewalk'), 0o755);
const examples = [...text.matchAll(EXAMPLE)].map(([block, line = '', printed = '']) => ({
  block,
  line,
  printed,
}));
let updated = text;

afterAll(async () => {
  await scratch.remove();
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(PAGE, updated);
});

/** What a command printed, with what differs from run to run replaced. */
function masked(printed: string): string {
  return (
    printed
      .replaceAll(project, '~/shop')
      .replaceAll(`node ${CLI}`, 'codewalk')
      .replace(
        /\b(task|error|tool|step):[0-9a-z]{6,}/gu,
        (id, kind) => `${kind}:${'0'.repeat(id.length - kind.length - 1)}`,
      )
      .replace(/\b01[0-9a-hjkmnp-tv-z]{24}\b/gu, '01k8z5x2m90000qhyyj7wcfkrg')
      .replace(/\b\d{4}-\d\d-\d\d(?! ?\d)/gu, '2026-11-24')
      // A minute may end between the first and the last of several.
      .replace(/\b\d{4}-\d\d-\d\d \d\d:\d\d(?: to \d{4}-\d\d-\d\d \d\d:\d\d)?/gu, '2026-11-24 09:00')
      .replace(/\b\d\d:\d\d:\d\d\b/gu, '09:00:00')
      .replace(/--cursor \S+/gu, '--cursor …')
      .replace(/ {2,}\d+(?:\.\d+)? m?s {2}\$/gu, '  50 ms  $')
      .replace(/\b\d+(?:\.\d+)? m?s\b/gu, '50 ms')
      .trimEnd()
  );
}

it.each(examples)('$line', async ({ block, line, printed }) => {
  const shell = spawn('sh', ['-c', line], {
    cwd: project,
    env: { ...scratch.env, PATH: `${bin}:${scratch.env.PATH}` },
  });
  const { code, stdout, stderr } = await ended(shell);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const shown = `${masked(stdout)}\n`.replace(/^\n$/u, '');
  updated = updated.replace(block, () =>
    block.replace(/````text\n[\s\S]*$/u, () => `\`\`\`\`text\n${shown}\`\`\`\``),
  );
  if (process.env.UPDATE_GOLDEN !== '1') expect(shown).toBe(printed);
});

it('the README shows an answer of the page', () => {
  const readme = readFileSync(fileURLToPath(new URL('../../README.md', import.meta.url)), 'utf8');
  const [, shown = ''] = /````text\n([\s\S]*?)````/u.exec(readme) ?? [];
  expect(examples.map(({ printed }) => printed)).toContain(shown);
});

it('the picture is what scripts/picture.mjs draws of the same session', async () => {
  const drawn = join(bin, 'picture.svg');
  const script = fileURLToPath(new URL('../../scripts/picture.mjs', import.meta.url));
  const { code, stderr } = await ended(spawn(process.execPath, [script, drawn], { env: scratch.env }));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const picture = fileURLToPath(new URL('../../docs/picture.svg', import.meta.url));
  expect(readFileSync(picture, 'utf8')).toBe(readFileSync(drawn, 'utf8'));
});

it('the page has commands', () => {
  expect(examples.length).toBeGreaterThan(10);
});
