import { describe, expect, it } from 'vitest';
import { readManifests } from '../../../source/resolution/index.js';

const one = (path: string, text: string) => readManifests([{ path, text }])[0];

describe('manifests', () => {
  it('give a package its folder, name and workspaces', () => {
    expect(one('packages/core/package.json', '{"name":"@x/core","workspaces":["a/*"]}')).toEqual({
      path: 'packages/core/package.json',
      directory: 'packages/core',
      ecosystem: 'npm',
      name: '@x/core',
      workspaces: ['a/*'],
    });
  });

  it('may list workspaces under packages', () => {
    expect(one('package.json', '{"workspaces":{"packages":["p/*"]}}')?.workspaces).toEqual(['p/*']);
  });

  it('that are no JSON, or hold a name that is no text, still mark a package', () => {
    expect(one('package.json', '{"name":')).toMatchObject({ directory: '', name: null, workspaces: [] });
    expect(one('package.json', '[]')?.name).toBeNull();
    expect(one('package.json', '{"name":3,"workspaces":"x"}')).toMatchObject({ name: null, workspaces: [] });
  });

  it('of Python name the package in pyproject.toml, after PEP 621 or Poetry', () => {
    expect(
      one('pyproject.toml', '[build-system]\nname = "no"\n[project]\nname = "flask" # yes\n')?.name,
    ).toBe('flask');
    expect(one('a/pyproject.toml', "[tool.poetry]\r\nname = 'p'\r\n")).toMatchObject({
      directory: 'a',
      name: 'p',
    });
  });

  it('of Python name the package in setup.cfg', () => {
    expect(one('setup.cfg', '[metadata]\nname = old\nversion = 1\n')?.name).toBe('old');
  });

  it('come sorted by path, whatever order they are given in, and without files that are none', () => {
    const paths = ['b/package.json', 'a/readme.md', 'a/package.json'];
    const read = readManifests(paths.map((path) => ({ path, text: '{}' })));
    expect(read.map((manifest) => manifest.path)).toEqual(['a/package.json', 'b/package.json']);
  });
});
