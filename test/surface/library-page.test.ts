import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Installed } from './packed.js';
import { complaints } from './type-check.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGE = readFileSync(join(ROOT, 'docs/library.md'), 'utf8');
const blocksOf = (language: string) =>
  [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gmu'))].map(
    ([, text]) => text ?? '',
  );

/** Runs every snippet with its own `console.log`, and prints what each of them logged. */
const RUNNER = `
import { format } from 'node:util';
const logged = [];
for (const file of process.argv.slice(2)) {
  const lines = [];
  console.log = (...told) => lines.push(...format(...told).split('\\n'));
  await import('./' + file);
  logged.push(lines);
}
process.stdout.write(JSON.stringify(logged));
`;

describe('docs/library.md', () => {
  let installed: Installed;
  let project: string;
  const snippets = blocksOf('js');
  beforeAll(() => {
    installed = new Installed();
    project = join(installed.folder, 'shop');
    for (const text of blocksOf('py')) {
      const [, path = ''] = /^# (\S+)\n/u.exec(text) ?? [];
      mkdirSync(dirname(join(project, path)), { recursive: true });
      writeFileSync(join(project, path), text.slice(text.indexOf('\n') + 1));
    }
    for (const [at, text] of snippets.entries())
      for (const ending of ['mjs', 'mts'])
        writeFileSync(
          join(installed.folder, `snippet-${at}.${ending}`),
          text.replaceAll('/path/to/project', project),
        );
  });
  afterAll(() => installed.remove());

  it('shows programs that run as they say, with the package as it is packed', () => {
    expect(snippets.length).toBeGreaterThan(5);
    writeFileSync(join(installed.folder, 'runner.mjs'), RUNNER);
    const files = snippets.map((_, at) => `snippet-${at}.mjs`);
    const env = { GRAPHS_HOME: join(installed.folder, 'graphs') };
    const logged: string[][] = JSON.parse(installed.run(['runner.mjs', ...files], env));
    for (const [at, text] of snippets.entries()) {
      const said = text.split('\n').flatMap((line) => (line.startsWith('// ') ? [line.slice(3)] : []));
      const shown = (logged[at] ?? []).filter((line) => said.includes(line));
      expect(shown, `snippet ${at}: ${logged[at]?.join('\n')}`).toEqual(said);
    }
    expect(existsSync(join(installed.folder, 'pack.json'))).toBe(true);
  });

  it('shows programs that the published types fit', () => {
    expect(
      complaints(
        installed.folder,
        snippets.map((_, at) => `snippet-${at}.mts`),
      ),
    ).toEqual([]);
  });
});
