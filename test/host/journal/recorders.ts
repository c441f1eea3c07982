import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const fileOf = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** The two recorders that there are, as a command and its first arguments. */
export const RECORDERS = {
  sh: ['sh', fileOf('host/journal/record.sh')],
  bash: ['bash', fileOf('host/journal/record.sh')],
  node: [process.execPath, fileOf('dist/cli.js'), 'record'],
} as const;

/** A new folder by its real path; gone when the test ends. */
export function scratch(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'codewalk-journal-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** How a recorder ended. */
export interface Recorded {
  readonly code: number | null;
  readonly stderr: string;
}

/** Gives an event to a recorder. */
export function recorded(
  recorder: readonly string[],
  args: readonly string[],
  payload: string | Uint8Array,
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Recorded> {
  const [command = '', ...first] = recorder;
  const child = spawn(command, [...first, ...args], {
    cwd: options.cwd ?? process.cwd(),
    env: { PATH: process.env.PATH ?? '', ...options.env },
  });
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  // One that refuses its arguments does not read.
  child.stdin.on('error', () => undefined);
  child.stdin.end(payload);
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (code) => done({ code, stderr }));
  });
}

/** The files of a journal's folder, with what they hold. */
export function filesIn(home: string, folder = 'new'): { name: string; bytes: Buffer }[] {
  const path = join(home, 'journal', folder);
  return readdirSync(path).map((name) => ({ name, bytes: readFileSync(join(path, name)) }));
}
