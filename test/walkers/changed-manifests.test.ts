import { expect, test } from 'vitest';
import { updateFiles } from '../../graphs/code/index-project.js';
import { defineWalker } from '../../runtime/index.js';
import { exportText, type Files, freshExport, indexed, write } from './project.js';

/** Packages whose files name each other: directly, through a file that passes names on, and by an alias. */
const FILES: Files = {
  'package.json': '{"name": "shop", "workspaces": ["packages/*"], "version": "1.0.0"}',
  'tsconfig.json': '{"compilerOptions": {"paths": {"#lib/*": ["./lib/*"]}}}',
  'lib/one.ts': 'export function one() { return 1; }\n',
  'other/one.ts': 'export function one() { return 2; }\n',
  'packages/core/package.json': '{"name": "@shop/core", "exports": {".": "./first.ts"}}',
  'packages/core/first.ts': 'export function make() { return 1; }\n',
  'packages/core/second.ts': 'export function make() { return 2; }\n',
  'src/direct.ts': "import { make } from '@shop/core';\nexport const direct = () => make();\n",
  'src/barrel.ts': "export * from '@shop/core';\n",
  'src/behind.ts': "import { make } from './barrel';\nexport const behind = () => make();\n",
  'src/loads.ts': "export const loads = async () => (await import('@shop/core')).make();\n",
  'src/alias.ts': "import { one } from '#lib/one';\nexport const alias = () => one();\n",
  'src/apart.ts': "import { direct } from './direct';\nexport const apart = 1;\nexport { direct };\n",
  'src/alone.ts': 'export const alone = () => 1;\n',
};

const Update = defineWalker('test_update', {
  description: 'Updates the whole project.',
  access: 'steps',
  run: (_here, context) => updateFiles(context, ['.']),
});

const CHANGES: Readonly<Record<string, readonly [Files, resolved: readonly string[]]>> = {
  'the version of a package': [
    { 'package.json': '{"name": "shop", "workspaces": ["packages/*"], "version": "2.0.0"}' },
    ['package.json'],
  ],
  'the file that a package leads to': [
    { 'packages/core/package.json': '{"name": "@shop/core", "exports": {".": "./second.ts"}}' },
    ['packages/core/package.json', 'src/barrel.ts', 'src/behind.ts', 'src/direct.ts', 'src/loads.ts'],
  ],
  'the name of a package': [
    { 'packages/core/package.json': '{"name": "@shop/kernel", "exports": {".": "./first.ts"}}' },
    ['src/barrel.ts', 'src/behind.ts', 'src/direct.ts', 'src/loads.ts'],
  ],
  'what an alias stands for': [
    { 'tsconfig.json': '{"compilerOptions": {"paths": {"#lib/*": ["./other/*"]}}}' },
    ['src/alias.ts', 'tsconfig.json'],
  ],
};

for (const [what, [changes, resolved]] of Object.entries(CHANGES))
  test(`a manifest that changes ${what} changes those whose imports lead elsewhere, and no others`, async () => {
    const { root, graph } = await indexed(FILES);
    write(changes, root);
    const { output } = await graph.spawn(Update, null, {});
    expect(output.scope).toBe('project');
    expect(output.files_resolved).toBeGreaterThanOrEqual(resolved.length);
    expect(output.files_resolved).toBeLessThan(Object.keys(FILES).length);
    expect(await exportText(graph)).toBe(await freshExport({ ...FILES, ...changes }));
    write(FILES, root);
    await graph.spawn(Update, null, {});
    expect(await exportText(graph)).toBe(await freshExport(FILES));
  });
