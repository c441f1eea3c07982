import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  answer,
  changeSetting,
  configFile,
  heldSettings,
  openGraph,
  settingName,
  settingsFor,
  typedValue,
} from '../../host/index.js';
import { CodewalkError, File } from '../../schema/index.js';
import { scratchFolders } from '../storage/scratch.js';
import { codeOf } from '../storage/suite.js';

const scratch = scratchFolders();
let home: string;
let root: string;

beforeEach(() => {
  home = join(scratch(), 'graphs');
  root = join(scratch(), 'shop');
  mkdirSync(join(root, 'vendor'), { recursive: true });
  writeFileSync(join(root, 'a.ts'), 'export const a = 1;\n');
  writeFileSync(join(root, 'b.ts'), `export const b = '${'b'.repeat(4000)}';\n`);
  writeFileSync(join(root, 'vendor', 'c.ts'), 'export const c = 1;\n');
});

/** The paths that an index takes. */
async function filesOf(input: Record<string, unknown> = {}): Promise<string[]> {
  await using graph = await openGraph(root, { home });
  await answer(graph, 'graph_index_project', input);
  const ids = await graph.read((tx) => tx.findIds(File));
  return ids.map((id) => id.slice('file:'.length)).sort();
}

describe('the configuration', () => {
  it('says what holds for a project: its own settings, else those for all, else the defaults', () => {
    expect(settingsFor(root, { home })).toMatchObject({ exclude: [], auto_index: true });
    changeSetting('exclude', ['all/**'], null, { home });
    expect(settingsFor(root, { home }).exclude).toEqual(['all/**']);
    changeSetting('exclude', ['own/**'], root, { home });
    expect(settingsFor(root, { home }).exclude).toEqual(['own/**']);
    expect(settingsFor('/another', { home }).exclude).toEqual(['all/**']);
    const held = heldSettings(root, { home }).filter(({ key }) => key === 'exclude' || key === 'include');
    expect(held).toEqual([
      { key: 'include', value: [], source: 'default' },
      { key: 'exclude', value: ['own/**'], source: 'project' },
    ]);
    changeSetting('exclude', undefined, root, { home });
    expect(settingsFor(root, { home }).exclude).toEqual(['all/**']);
  });

  it('lies in one file that only the user can read, and leaves nothing beside it', () => {
    changeSetting('idle_minutes', 3, null, { home });
    expect(statSync(configFile({ home })).mode & 0o777).toBe(0o600);
    expect(readdirSync(home)).toEqual(['config.json']);
    expect(JSON.parse(readFileSync(configFile({ home }), 'utf8'))).toEqual({ idle_minutes: 3 });
  });

  it('refuses a value that does not fit, a setting that cannot stand there, and one that there is not', async () => {
    const set = async (key: string, words: string[], at: string | null) =>
      changeSetting(settingName(key), typedValue(settingName(key), words), at, { home });
    for (const [key, words, at] of [
      ['max_file_bytes', ['much'], null],
      ['max_file_bytes', ['0'], null],
      ['max_file_bytes', ['900G'], null],
      ['idle_minutes', ['1', '2'], null],
      ['auto_index', ['yes'], null],
      ['idle_minutes', ['3'], root],
      ['paused', ['true'], null],
      ['walkers', ['mine'], null],
      ['walkers', ['/mine'], root],
      ['exclude', ['src/['], null],
      ['exclude', ['[1]'], null],
      ['inclued', ['src'], null],
    ] as const)
      expect(await codeOf(() => set(key, [...words], at)), `${key} ${words}`).toBe('INVALID_INPUT');
    await expect(set('inclued', ['src'], null)).rejects.toMatchObject({
      suggestion: expect.stringContaining("'include'"),
    });
    expect(readdirSync(join(home, '..'))).toEqual([]);
  });

  it('takes bytes with a unit, and lists as words or as JSON', () => {
    expect(typedValue('max_file_bytes', ['4M'])).toBe(4 * 1024 * 1024);
    expect(typedValue('max_file_bytes', ['2KiB'])).toBe(2048);
    expect(typedValue('exclude', ['a', 'b/**'])).toEqual(['a', 'b/**']);
    expect(typedValue('exclude', ['["a"]'])).toEqual(['a']);
    expect(typedValue('exclude', [])).toEqual([]);
  });

  it('that is not valid is refused by file, key and value, and stays as it is', async () => {
    mkdirSync(home);
    for (const [text, says] of [
      ['{', 'is not JSON'],
      ['[]', 'is []'],
      ['{"exclude":"vendor"}', `'exclude' is "vendor"`],
      ['{"exclud":["vendor"]}', `'exclud' is ["vendor"]`],
      ['{"projects":{"/x":{"idle_minutes":3}}}', `'projects: /x: idle_minutes' is 3`],
      ['{"projects":{"/x":{"include":[7]}}}', `'projects: /x: include: 0' is 7`],
    ] as const) {
      writeFileSync(configFile({ home }), text);
      const error = await Promise.resolve()
        .then(() => settingsFor(root, { home }))
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'CONFIG_INVALID' });
      expect(String(error)).toContain(says);
      expect(String(error)).toContain(configFile({ home }));
      expect(await codeOf(async () => changeSetting('exclude', ['x'], null, { home }))).toBe(
        'CONFIG_INVALID',
      );
      expect(readFileSync(configFile({ home }), 'utf8')).toBe(text);
    }
    writeFileSync(configFile({ home }), '{"exclude":["src/["]}');
    expect(await codeOf(() => filesOf())).toBe('CONFIG_INVALID');
  });

  it('says which files an index takes, where the caller says nothing', async () => {
    expect(await filesOf()).toEqual(['a.ts', 'b.ts', 'vendor/c.ts']);
    changeSetting('exclude', ['vendor/**'], root, { home });
    expect(await filesOf()).toEqual(['a.ts', 'b.ts']);
    changeSetting('max_file_bytes', 1000, null, { home });
    expect(await filesOf()).toEqual(['a.ts']);
    expect(await filesOf({ exclude: [], max_file_bytes: 5000 })).toEqual(['a.ts', 'b.ts', 'vendor/c.ts']);
  });

  it('cannot be set by a repository', async () => {
    const settings = JSON.stringify({ exclude: ['**'], walkers: [root], auto_index: false });
    for (const name of ['.codewalk', '.codewalk.json', 'config.json', 'codewalk.config.json'])
      writeFileSync(join(root, name), settings);
    expect(settingsFor(root, { home })).toMatchObject({ exclude: [], walkers: [], auto_index: true });
    expect(await filesOf()).toContain('a.ts');
  });
});

it('suggests a setting only where it is near what was typed', () => {
  const suggestion = (typed: string) => {
    try {
      return settingName(typed);
    } catch (thrown) {
      return thrown instanceof CodewalkError ? thrown.suggestion : thrown;
    }
  };
  expect(suggestion('exclud')).toContain("Did you mean 'exclude'? 'codewalk config list'");
  expect(suggestion('foo')).toBe("'codewalk config list' shows all.");
});
