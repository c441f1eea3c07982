import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TSC = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
const OPTIONS = {
  target: 'es2023',
  lib: ['es2023', 'esnext.disposable'],
  module: 'nodenext',
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  // Our declarations too are checked: they are what users get.
  skipLibCheck: false,
  noEmit: true,
};

/** What a strict compiler of a user's says of files of the folder: a line each, none when they fit. */
export function complaints(folder: string, files: readonly string[]): string[] {
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, files }));
  const { stdout } = spawnSync(process.execPath, [TSC, '-p', '.'], { cwd: folder, encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line !== '');
}
