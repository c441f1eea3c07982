// Plays the session of docs/tutorial.md in a scratch project: what pictures of the documentation are made from.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Runs `body` with the project of the tutorial as it stands at the page's end; everything is gone afterwards.
 *
 * @param body gets `codewalk`, which runs a command line in the project and gives what it printed, the project's folder, and the environment.
 */
export async function inTutorial(body) {
  const scratch = mkdtempSync(join(tmpdir(), 'codewalk-picture-'));
  const project = join(scratch, 'shop');
  const env = { ...process.env, GRAPHS_HOME: join(scratch, 'graphs') };
  const codewalk = (args, input = '') =>
    execFileSync(process.execPath, [join(ROOT, 'dist/cli.js'), ...args], {
      cwd: project,
      env,
      input,
      encoding: 'utf8',
    });
  try {
    const page = readFileSync(join(ROOT, 'docs/tutorial.md'), 'utf8');
    for (const [, path, text] of page.matchAll(/<!-- file: (\S+) -->\n```\w+\n([\s\S]*?)```/gu))
      write(join(project, path), text);
    write(join(project, '.git/HEAD'), 'ref: refs/heads/main\n');
    for (const folder of ['objects', 'refs']) mkdirSync(join(project, '.git', folder), { recursive: true });
    codewalk(['index']);
    for (const event of readFileSync(join(scratch, 'monday.jsonl'), 'utf8').trim().split('\n'))
      codewalk(['hook', '--client', 'claude'], event);
    const [, title, content] = /memory store decision '([^']*)' '([^']*)'/u.exec(page) ?? [];
    codewalk(['memory', 'store', 'decision', title, content, '--about', 'src/money.ts']);
    return await body({ codewalk, project, env });
  } finally {
    codewalk(['stop']);
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Writes a file, with its folder. */
export function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
