import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const REPOSITORY = join(import.meta.dirname, '../..');
const CONFIGURATION = [
  'scripts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

/**
 * A command that shows its arguments and folder, with a part that is loaded late, one that both doors share, and one
 * of another bundle.
 */
const SOURCES = {
  'index.ts': "export * from './schema/index.js';\n",
  'schema/index.ts': "import { z } from 'zod';\nexport const Name = z.string();\n",
  'schema/unused.ts': 'export const unused = 1;\n',
  'schema/count.worker.ts': "import { Name } from './index.js';\nName.parse('worker');\n",
  'cli/main.ts': [
    "import levenshtein from 'fastest-levenshtein';",
    "import { Name } from '../index.js';",
    "const { show } = await import('./late.js');",
    "const { listed } = await import('../source/index.js');",
    "show(Name.parse('shared'), listed, process.argv.slice(2), process.cwd(), levenshtein.distance('a', 'b') === 1);",
    'process.exitCode = 3;',
  ].join('\n'),
  'source/index.ts':
    "import { Name } from '../schema/index.js';\nexport const listed = Name.parse('listed');\n",
  'cli/commands/record.ts': 'export const record = 1;\n',
  'cli/write-manifest.ts': [
    "import { writeFileSync } from 'node:fs';",
    "import { Name } from '../schema/index.js';",
    "writeFileSync(process.argv[2] + '/manifest.json', JSON.stringify(Name.parse('written')));",
  ].join('\n'),
  'cli/hook.ts': 'export const hook = 1;\n',
  'cli/commands/home.ts': 'export const home = 1;\n',
  'cli/commands/agents.ts': 'export const home = 1;\n',
  'cli/commands/explore.ts': 'export const explore = 1;\n',
  'web/page/app.tsx': 'export const app = 1;\n',
  'web/page/app.css': 'main { color: red; }\n',
  'web/page/index.html': '<script src="app.js"></script>\n',
  'web/page/icon.svg': '<svg></svg>\n',
  'hooks/index.ts': 'export const hooks = 1;\n',
  'host/index.ts': 'export const host = 1;\n',
  'host/direct-host.ts': 'export const directHost = 1;\n',
  'host/local/local-host.ts': 'export const localHost = 1;\n',
  'cli/daemon.ts': 'console.log(1);\n',
  'host/journal/record.sh': '#!/bin/sh\n',
  'cli/late.ts': 'export const show = (...values: unknown[]) => console.log(JSON.stringify(values));\n',
};

describe('npm start', () => {
  let root = '';
  let elsewhere = '';
  const start = (...args: string[]) =>
    spawnSync(process.execPath, [join(root, 'scripts/start.mjs'), ...args], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, INIT_CWD: elsewhere },
    });

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'codewalk-start-'));
    elsewhere = mkdtempSync(join(tmpdir(), 'codewalk-else-'));
    for (const name of CONFIGURATION) cpSync(join(REPOSITORY, name), join(root, name), { recursive: true });
    for (const [path, text] of Object.entries(SOURCES)) {
      mkdirSync(join(root, path, '..'), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    symlinkSync(join(REPOSITORY, 'node_modules'), join(root, 'node_modules'), 'junction');
  });

  afterAll(() => {
    for (const folder of [root, elsewhere]) rmSync(folder, { recursive: true, force: true });
  });

  it('builds with one line of progress, then indexes what it is given, where the user stands', () => {
    const run = start('some/where', '--json');
    expect(run.stderr).toMatch(/^Building Codewalk… done in [\d.]+ s\.\n$/u);
    const [shared, listed, args, folder, matched] = JSON.parse(run.stdout);
    expect([shared, listed, args, matched]).toEqual([
      'shared',
      'listed',
      ['index', 'some/where', '--json'],
      true,
    ]);
    expect(folder.endsWith(elsewhere.split('/').at(-1))).toBe(true);
  });

  it('passes the exit code on, and builds nothing twice', () => {
    const run = start();
    expect(run.stderr).toBe('');
    expect(run.status).toBe(3);
    expect(JSON.parse(run.stdout)[2]).toEqual(['index', '.']);
  });

  it('leaves an executable command, a file per worker, licences, and only the types that the package offers', () => {
    const dist = (path: string) => join(root, 'dist', path);
    expect(readFileSync(dist('cli.js'), 'utf8').startsWith('#!/usr/bin/env node\n')).toBe(true);
    expect(existsSync(dist('count.worker.js'))).toBe(true);
    expect(JSON.parse(readFileSync(dist('manifest.json'), 'utf8'))).toBe('written');
    expect(existsSync(dist('.write-manifest.js'))).toBe(false);
    expect(readFileSync(dist('licenses.txt'), 'utf8')).toContain('## fastest-levenshtein');
    expect(existsSync(dist('types/index.d.ts'))).toBe(true);
    expect(existsSync(dist('types/cli/main.d.ts'))).toBe(false);
  });

  it('refuses public types that name a bundled package', () => {
    writeFileSync(
      join(root, 'index.ts'),
      `${SOURCES['index.ts']}export type { Command } from 'commander';\n`,
    );
    const run = start();
    expect(run.status).toBe(1);
    expect(run.stderr).toContain("dist/types/index.d.ts refers to 'commander'");
    writeFileSync(join(root, 'index.ts'), SOURCES['index.ts']);
  });

  it('says what to do where the development dependencies are missing', () => {
    rmSync(join(root, 'node_modules'));
    const run = start();
    expect(run.status).toBe(1);
    expect(run.stderr).toContain('Run `npm install` without --omit=dev');
  });
});
