import { describe, expect, it } from 'vitest';
import { moduleNames, readManifests, symbolName } from '../../../source/resolution/index.js';

const names = (paths: string[], manifests: Record<string, string> = {}) =>
  Object.fromEntries(
    moduleNames(paths, readManifests(Object.entries(manifests).map(([path, text]) => ({ path, text })))),
  );

describe('a Python module', () => {
  it('is named from its source root, not from the repository', () => {
    expect(names(['src/auth/services.py'])['src/auth/services.py']).toBe('auth.services');
  });

  it('counts from the parent of the topmost package', () => {
    const paths = ['lib/pkg/__init__.py', 'lib/pkg/sub/__init__.py', 'lib/pkg/sub/mod.py'];
    expect(names(paths)['lib/pkg/sub/mod.py']).toBe('pkg.sub.mod');
  });

  it('is the package itself when it is __init__', () => {
    expect(names(['src/flask/__init__.py'])['src/flask/__init__.py']).toBe('flask');
  });

  it('outside of packages counts from its project folder', () => {
    const paths = ['examples/app/tests/test_a.py'];
    expect(names(paths, { 'examples/app/pyproject.toml': '' })['examples/app/tests/test_a.py']).toBe(
      'tests.test_a',
    );
    expect(names(paths)['examples/app/tests/test_a.py']).toBe('examples.app.tests.test_a');
  });

  it('does not take the name of the root folder when the root itself is a package', () => {
    expect(names(['__init__.py', 'mod.py'])).toEqual({ '__init__.py': '', 'mod.py': 'mod' });
  });
});

describe('a TypeScript or JavaScript module', () => {
  it('is the package name and the path inside the package, without src, extension and index', () => {
    const paths = ['src/utils/url.ts', 'src/index.ts', 'src/jsx/index.tsx', 'types/a.d.ts'];
    expect(names(paths, { 'package.json': '{"name":"hono"}' })).toEqual({
      'src/utils/url.ts': 'hono/utils/url',
      'src/index.ts': 'hono',
      'src/jsx/index.tsx': 'hono/jsx',
      'types/a.d.ts': 'hono/types/a',
    });
  });

  it('belongs to the nearest package with a name', () => {
    const manifests = {
      'package.json': '{"name":"root"}',
      'packages/core/package.json': '{"name":"@v/core"}',
      'packages/core/cjs/package.json': '{"type":"commonjs"}',
    };
    expect(names(['packages/core/cjs/a.js'], manifests)['packages/core/cjs/a.js']).toBe('@v/core/cjs/a');
  });

  it('has an empty prefix without a package name', () => {
    expect(names(['src/a.ts'])['src/a.ts']).toBe('a');
  });
});

it('modules of one name get their paths in front, all of them', () => {
  expect(names(['a/pyproject.toml', 'src/x.ts', 'src/x.js'])).toMatchObject({
    'src/x.ts': 'src/x.ts:x',
    'src/x.js': 'src/x.js:x',
  });
});

it('any other file is named by its path', () => {
  expect(names(['docs/a.md'])['docs/a.md']).toBe('docs/a.md');
});

it('a symbol is joined to its module by a dot', () => {
  expect(symbolName('hono/utils/url', 'getPath')).toBe('hono/utils/url.getPath');
  expect(symbolName('auth.services', 'Auth.login')).toBe('auth.services.Auth.login');
  expect(symbolName('', 'f')).toBe('f');
});
