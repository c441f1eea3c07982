import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { commandLines } from './command-lines.js';
import { allCommands } from './reference.js';

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
