import { describe, expect, it } from 'vitest';
import { resolved } from './resolved.js';

/** What the one import of `specifier` in `from` names among these files. */
const named = (
  files: readonly string[],
  from: string,
  specifier: string,
  settings: Record<string, unknown>,
) => {
  const texts = Object.fromEntries(files.map((path) => [path, '']));
  for (const [path, content] of Object.entries(settings))
    texts[path] = typeof content === 'string' ? content : JSON.stringify(content);
  return resolved({ ...texts, [from]: `import '${specifier}'` }).imports(from);
};

const paths = (patterns: Record<string, string[]>, more: object = {}) => ({
  compilerOptions: { paths: patterns, ...more },
});

describe('a name that a configuration gives a meaning', () => {
  it('is found by paths, from the folder of the configuration', () => {
    const settings = { 'web/tsconfig.json': paths({ '@/*': ['./src/*'] }) };
    expect(named(['web/src/lib/a.ts'], 'web/src/b.ts', '@/lib/a', settings)).toEqual(['web/src/lib/a.ts']);
    expect(named(['web/src/lib/a.ts'], 'b.ts', '@/lib/a', settings)).toEqual(['?@/lib/a']);
  });

  it('is found by paths from the base URL, by the longest pattern, and by the first target that is there', () => {
    const config = paths({ '*': ['*'], 'app/*': ['gone/*', 'app/*'] }, { baseUrl: './src' });
    const files = ['src/app/a.ts', 'src/b.ts'];
    expect(named(files, 'src/c.ts', 'app/a', { 'tsconfig.json': config })).toEqual(['src/app/a.ts']);
    expect(named(files, 'src/c.ts', 'b', { 'tsconfig.json': config })).toEqual(['src/b.ts']);
  });

  it('is found in the base URL alone, also when it is called like a module of Node', () => {
    const settings = { 'jsconfig.json': { compilerOptions: { baseUrl: 'src' } } };
    expect(named(['src/constants.js'], 'src/a/b.js', 'constants', settings)).toEqual(['src/constants.js']);
    expect(named(['src/a.js'], 'src/b.js', 'constants', settings)).toEqual(['stdlib:constants']);
  });

  it('is found by what the configuration extends, comments and trailing commas allowed', () => {
    const settings = {
      'tsconfig.base.json':
        '{ /* shared */ "compilerOptions": { "paths": { "@x/*": ["libs/*/src"], }, } } // end',
      'apps/one/tsconfig.json': { extends: '../../tsconfig.base' },
    };
    const files = ['libs/ui/src/index.ts'];
    expect(named(files, 'apps/one/a.ts', '@x/ui', settings)).toEqual(['libs/ui/src/index.ts']);
  });

  it('is found by the configuration of a package of the project, and by one that is referred to', () => {
    const settings = {
      'config/package.json': { name: '@x/config' },
      'config/base.json': '{}',
      'config/tsconfig.base.json': paths({ '~/*': [`\${configDir}/source/*`] }),
      'web/tsconfig.json': { extends: '@x/config/tsconfig.base.json' },
      'app/tsconfig.json': { files: [], references: [{ path: './tsconfig.app.json' }] },
      'app/tsconfig.app.json': paths({ '@/*': ['./src/*'] }),
    };
    expect(named(['web/source/a.ts'], 'web/b.ts', '~/a', settings)).toEqual(['web/source/a.ts']);
    expect(named(['app/src/a.ts'], 'app/src/b.ts', '@/a', settings)).toEqual(['app/src/a.ts']);
  });

  it('that circles of configurations never tell stays unknown', () => {
    const settings = {
      'tsconfig.json': { extends: './tsconfig.b.json' },
      'tsconfig.b.json': { extends: './tsconfig' },
    };
    expect(named([], 'a.ts', '@/a', settings)).toEqual(['?@/a']);
  });

  it('is that of bundlers where nothing is configured: the sources of the nearest package', () => {
    const settings = { 'package.json': {}, 'web/package.json': {} };
    const files = ['web/src/a.ts', 'src/a.ts', 'web/lib/b.vue'];
    expect(named(files, 'web/src/c.ts', '@/a', settings)).toEqual(['web/src/a.ts']);
    expect(named(files, 'c.ts', '~/a', settings)).toEqual(['src/a.ts']);
    expect(named(files, 'web/c.ts', '@/lib/b.vue', settings)).toEqual(['web/lib/b.vue']);
    expect(named(files, 'web/c.ts', '@/gone', settings)).toEqual(['?@/gone']);
  });
});

describe('a package of the project', () => {
  it('is entered by its exports, whatever the condition, patterns filled in', () => {
    const settings = {
      'p/package.json': {
        name: '@x/p',
        exports: { '.': { types: './gone.d.ts', import: './lib/main.ts' }, './icons/*': './lib/icons/*.ts' },
      },
    };
    const files = ['p/lib/main.ts', 'p/lib/icons/star.ts', 'p/src/index.ts'];
    expect(named(files, 'a.ts', '@x/p', settings)).toEqual(['p/lib/main.ts']);
    expect(named(files, 'a.ts', '@x/p/icons/star', settings)).toEqual(['p/lib/icons/star.ts']);
    expect(named(files, 'p/b.ts', '@x/p', settings)).toEqual(['p/lib/main.ts']);
  });

  it('is entered by the source of what it says is built', () => {
    const files = ['p/src/index.ts', 'p/src/deep/util.ts', 'q/code/main.ts'];
    const settings = {
      'p/package.json': {
        name: 'p',
        main: 'dist/cjs/index.js',
        exports: { './*': './dist/*.mjs', '.': './dist/index.mjs' },
      },
      'q/package.json': { name: 'q', main: './made/main.js' },
      'q/tsconfig.json': { compilerOptions: { outDir: 'made', rootDir: 'code' } },
    };
    expect(named(files, 'a.ts', 'p', settings)).toEqual(['p/src/index.ts']);
    expect(named(files, 'a.ts', 'p/deep/util', settings)).toEqual(['p/src/deep/util.ts']);
    expect(named(files, 'a.ts', 'q', settings)).toEqual(['q/code/main.ts']);
  });

  it('has names of its own for its files', () => {
    const settings = { 'p/package.json': { name: 'p', imports: { '#internal/*': './dist/internal/*.js' } } };
    const files = ['p/src/internal/a.ts'];
    expect(named(files, 'p/src/b.ts', '#internal/a.js', settings)).toEqual(['?#internal/a.js']);
    expect(named(files, 'p/src/b.ts', '#internal/a', settings)).toEqual(['p/src/internal/a.ts']);
    expect(named(files, 'c.ts', '#internal/a', settings)).toEqual(['?#internal/a']);
  });

  it('is entered by its main file when its folder is required', () => {
    const settings = { 'p/package.json': { name: 'p', main: './lib/start' } };
    expect(named(['p/lib/start.js', 'p/lib/x.js'], 'test/a.js', '../p', settings)).toEqual([
      'p/lib/start.js',
    ]);
  });

  it('that is not in the project stays foreign', () => {
    expect(named(['src/react.ts'], 'src/a.ts', 'react', { 'package.json': { name: 'x' } })).toEqual([
      'package:react',
    ]);
  });
});
