import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { allCommands } from './reference.js';

/** A call of the command line in a text. */
interface CommandLine {
  /** As it stands there. */
  readonly text: string;
  /** What follows `codewalk`, without options. */
  readonly words: string;
  /** `--max-depth`, without values. */
  readonly options: readonly string[];
}

/** The calls of `codewalk` in the shell blocks of a page; comments are left out. */
function commandLines(page: string): CommandLine[] {
  return [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gmu)]
    .flatMap(([, block]) => (block ?? '').split('\n'))
    .map((line) => line.replace(/\s+#.*$/u, '').trim())
    .filter((line) => line.startsWith('codewalk '))
    .map((text) => {
      // Quoted values may hold anything.
      const words = text
        .replace(/'[^']*'|"[^"]*"/gu, 'X')
        .split(/\s+/u)
        .slice(1);
      return {
        text,
        words: words.filter((word) => !word.startsWith('-')).join(' '),
        options: words.filter((word) => word.startsWith('--')),
      };
    });
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'codewalk-readme-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the README', () => {
  it('shows a program that runs', async () => {
    const [, code = ''] = /^```js\n([\s\S]*?)^```$/mu.exec(README) ?? [];
    const project = join(folder, 'project');
    mkdirSync(join(project, 'src'), { recursive: true });
    writeFileSync(join(project, 'src/index.ts'), 'export function main() {}\n');
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(ROOT, join(folder, 'node_modules/codewalk'));
    const shown = code.replace('/path/to/project', project);
    expect(shown).not.toBe(code);
    writeFileSync(join(folder, 'program.mjs'), `${shown}\nconsole.log(output.returnDisplay);\n`);
    const env = { ...process.env, GRAPHS_HOME: join(folder, 'graphs') };
    const stdout = await new Promise<string>((done, fail) => {
      execFile(process.execPath, ['program.mjs'], { cwd: folder, env }, (error, out) =>
        error ? fail(error) : done(out),
      );
    });
    expect(stdout).toContain('main');
  });

  it('names commands and options that there are', () => {
    const commands = allCommands();
    const unknown = commandLines(README).flatMap((line) => {
      const found = commands.find(({ words }) => line.words.startsWith(`${words} `) || line.words === words);
      if (!found) return [line.text];
      const help = found.command.helpInformation();
      return line.options
        .filter((option) => !help.includes(option))
        .map((option) => `${line.text}: ${option}`);
    });
    expect(unknown).toEqual([]);
  });
});
