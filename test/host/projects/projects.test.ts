import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  adopt,
  changeSetting,
  collectGarbage,
  listBackups,
  listProjects,
  openGraph,
  pausedBy,
  pauseFile,
  projectRootOf,
  removeProject,
  setPaused,
  settingsFor,
} from '../../../host/index.js';
import { isRecorded } from '../../../host/project-root.js';
import { readProjectFile, writeProjectFile } from '../../../host/projects/project-list.js';
import { cookiesOf } from '../../../host/surroundings.js';
import { OpenGraphs } from '../../../host/worker/open-graphs.js';
import { File } from '../../../schema/index.js';
import { pathHash } from '../../../storage/index.js';
import { scratchFolders } from '../../storage/scratch.js';
import { codeOf } from '../../storage/suite.js';
import { Place, projectOf } from './places.js';

const scratch = scratchFolders();
let place: Place;
let home: string;
let shop: string;

beforeEach(() => {
  place = new Place(scratch());
  ({ home, shop } = place);
});

const ask = (user_prompt: string): readonly [string, object] => ['task_start', { user_prompt }];

describe('projects', () => {
  it('are listed by their root, with what they take and what their last index found', async () => {
    expect(listProjects({ home })).toEqual([]);
    await place.index(shop);
    const [project, ...others] = listProjects({ home });
    expect(others).toEqual([]);
    expect(project).toMatchObject({
      root: shop,
      kind: 'project',
      history: shop,
      files: 1,
      gone: false,
      paused: false,
    });
    expect(project?.bytes.derived).toBeGreaterThan(0);
    expect(project?.revision).toBeGreaterThan(0);
    expect(project?.first_commit).toMatch(/^[0-9a-f]{40}$/);
    expect(Date.parse(project?.used_at ?? '')).toBeGreaterThan(0);
  });

  it('are listed while their stores are open elsewhere', async () => {
    await using graph = await openGraph(shop, { home });
    expect(listProjects({ home })).toMatchObject([{ root: graph.root, files: null }]);
  });

  it('were used last when somebody asked something of their open graph, noted once a minute', async () => {
    const graphs = new OpenGraphs({ home, loaded: { archetypes: [], arrivals: [] } });
    const use = () => graphs.of(shop, () => 'made', false);
    const used = () => listProjects({ home })[0]?.used_at ?? '';
    await use();
    const folder = join(home, pathHash(shop));
    const opened = readProjectFile(folder);
    if (opened === null) throw new Error('nothing was noted');
    const usedBefore = (ms: number) => {
      const used_at = new Date(Date.now() - ms).toISOString();
      writeProjectFile(folder, { ...opened, used_at });
      return used_at;
    };
    // Within a minute nothing is even read.
    const before = usedBefore(61_000);
    await use();
    expect(used()).toBe(before);
    const later = performance.now() + 61_000;
    vi.spyOn(performance, 'now').mockReturnValue(later);
    onTestFinished(() => void vi.restoreAllMocks());
    await use();
    expect(used() >= opened.used_at).toBe(true);
    await graphs.close();
  });

  it('whose root has vanished are gone, and are found by the path that they had', async () => {
    await place.index(shop);
    rmSync(shop, { recursive: true });
    expect(listProjects({ home })).toMatchObject([{ root: shop, gone: true }]);
    expect(projectOf(shop, { home })).toMatchObject({ root: shop });
    expect(projectOf(join(place.folder, 'other'), { home })).toBeNull();
  });

  it('that are worktrees name the history that they share', async () => {
    place.git(shop, 'worktree', 'add', '-q', '../second');
    await place.record(join(place.folder, 'second'), 's', ['task_start', { user_prompt: 'Mend it' }]);
    const rows = listProjects({ home });
    expect(rows.map(({ root, kind, history }) => ({ root, kind, history }))).toEqual([
      { root: join(place.folder, 'second'), kind: 'worktree', history: shop },
      { root: shop, kind: 'history', history: shop },
    ]);
    expect(rows.map(({ bytes }) => bytes.durable > 0)).toEqual([false, true]);
    await place.index(shop);
    expect(projectOf(shop, { home })).toMatchObject({ kind: 'project', files: 1 });
  });

  it('without a file of their own say nothing of themselves until they are opened again', async () => {
    await place.index(shop);
    const hash = listProjects({ home })[0]?.hash ?? '';
    rmSync(join(home, hash, 'project.json'));
    expect(listProjects({ home })).toMatchObject([{ root: null, hash, kind: 'unknown', gone: false }]);
    writeFileSync(join(home, hash, 'project.json'), '{');
    expect(listProjects({ home })).toMatchObject([{ root: null }]);
    await place.index(shop);
    expect(listProjects({ home })).toMatchObject([{ root: shop, files: 1 }]);
  });
});

describe('a first index', () => {
  it('names the vanished root that the repository may have moved from', async () => {
    const first = await place.index(shop);
    expect(first.body.moved_from).toBeUndefined();
    const moved = join(place.folder, 'market');
    renameSync(shop, moved);
    const { body, markdown } = await place.index(moved);
    expect(body.moved_from).toBe(shop);
    expect(markdown).toContain(`codewalk adopt ${shop} ${moved}`);
    expect((await place.index(moved)).body.moved_from).toBeUndefined();
  });

  it('takes neither another repository for it, nor another part of the same one, nor one that is still there', async () => {
    await place.index(join(shop, 'src'));
    const copy = join(place.folder, 'copy');
    execFileSync('git', ['clone', '-q', shop, copy]);
    expect((await place.index(copy)).body.moved_from).toBeUndefined();
    rmSync(shop, { recursive: true });
    const other = place.repository('other');
    writeFileSync(join(other, 'b.ts'), '');
    place.git(other, 'add', '.');
    place.git(other, 'commit', '-q', '--amend', '-m', 'Another beginning');
    expect((await place.index(other)).body.moved_from).toBeUndefined();
    const again = join(place.folder, 'again');
    execFileSync('git', ['clone', '-q', copy, again]);
    expect((await place.index(again)).body.moved_from).toBeUndefined();
    expect((await place.index(join(again, 'src'))).body.moved_from).toBe(join(shop, 'src'));
  });
});

function write(path: string, text = 'export const b = 2;\n'): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
}

async function filesOf(root: string): Promise<string[]> {
  await place.index(root);
  await using graph = await openGraph(root, { home });
  const ids = await graph.read((tx) => tx.findIds(File));
  return ids.map((id) => id.slice('file:'.length)).sort();
}

describe('a project in a project', () => {
  it('is part of the outer one: a submodule, a repository beneath it, a folder that is indexed by itself', async () => {
    place.repository('shop/nested');
    write(join(shop, 'nested', '.gitignore'), 'out/\n');
    write(join(shop, 'nested', 'out', 'made.ts'));
    place.repository('library');
    place.git(
      shop,
      '-c',
      'protocol.file.allow=always',
      'submodule',
      'add',
      '-q',
      join(place.folder, 'library'),
      'sub',
    );
    await place.index(join(shop, 'src'));
    expect(await filesOf(shop)).toEqual([
      '.gitmodules',
      'nested/.gitignore',
      'nested/src/a.ts',
      'src/a.ts',
      'sub/src/a.ts',
    ]);
    expect(await filesOf(join(shop, 'sub'))).toEqual(['src/a.ts']);
  });

  it('is not part of it when it is another checkout of a repository', async () => {
    place.git(shop, 'worktree', 'add', '-q', 'trees/second');
    expect(await filesOf(shop)).toEqual(['src/a.ts']);
    expect(await filesOf(join(shop, 'trees', 'second'))).toEqual(['src/a.ts']);
  });

  it('is what is meant within it once it is indexed; before, the outer one that is, else its repository', async () => {
    const nested = place.repository('shop/nested');
    const inside = join(nested, 'src', 'a.ts');
    expect(projectRootOf(inside, { home })).toBe(nested);
    await place.index(shop);
    expect(projectRootOf(inside, { home })).toBe(shop);
    await place.index(nested);
    expect(projectRootOf(inside, { home })).toBe(nested);
    expect(projectRootOf(join(shop, 'src'), { home })).toBe(shop);
    const { body } = await place.spawn(nested, 'graph_stats');
    expect(body).toMatchObject({ state: { root: nested, enclosing_root: shop } });
  });

  it('is no part of a folder that is no project, though something is kept there, until that is indexed', async () => {
    const plain = join(place.folder, 'plain');
    const inside = join(plain, 'notes');
    mkdirSync(inside, { recursive: true });
    const { body } = await place.spawn(plain, 'memory_store', { type: 'fix', title: 'One', content: 'Two.' });
    expect(body.state.cut).toEqual([expect.stringContaining(`${plain} is no project`)]);
    expect(projectRootOf(inside, { home })).toBe(inside);
    expect([isRecorded(plain, { home }), isRecorded(inside, { home })]).toEqual([false, false]);
    await place.index(plain);
    expect(projectRootOf(inside, { home })).toBe(plain);
    expect(isRecorded(plain, { home })).toBe(true);
  });

  it('has a history of its own', async () => {
    const nested = place.repository('shop/nested');
    await place.record(shop, 's', ['task_start', { user_prompt: 'Outer' }]);
    await place.record(nested, 's', ['task_start', { user_prompt: 'Inner' }]);
    expect([await place.prompts(shop), await place.prompts(nested)]).toEqual([['Outer'], ['Inner']]);
  });
});

describe('a history that is adopted', () => {
  it('is whole at the new place, which is indexed, and nothing of the old one is left', async () => {
    await place.index(shop);
    await place.record(shop, 's', ask('Mend the basket'), [
      'tool_start',
      { tool_name: 'edit', files_touched: ['src/a.ts'] },
    ]);
    changeSetting('exclude', ['vendor/**'], shop, { home });
    await place.owner.backup(shop);
    const moved = join(place.folder, 'market');
    renameSync(shop, moved);
    await place.index(moved);
    expect(await adopt(shop, moved, place.owner, { home })).toMatchObject({
      from: shop,
      to: moved,
      files: 1,
    });
    expect(await place.prompts(moved)).toEqual(['Mend the basket']);
    const context = await place.spawn(moved, 'graph_context_for_files', { file_paths: ['src/a.ts'] });
    expect(context.body).toMatchObject({ context_pack: { etg_steps: [{ path: 'src/a.ts' }] } });
    expect(listProjects({ home }).map(({ root }) => root)).toEqual([moved]);
    expect(listBackups(join(home, pathHash(moved), 'backups'))).toHaveLength(1);
    expect(settingsFor(moved, { home }).exclude).toEqual(['vendor/**']);
    expect(settingsFor(shop, { home }).exclude).toEqual([]);
  });

  it('is not taken from a root that is still there, nor given to one that has its own', async () => {
    await place.record(shop, 's', ask('One'));
    const other = place.repository('other');
    await place.record(other, 's', ask('Two'));
    const refused = () => codeOf(() => adopt(shop, other, place.owner, { home }));
    expect(await refused()).toBe('HISTORY_REFUSED');
    rmSync(shop, { recursive: true });
    expect(await refused()).toBe('HISTORY_REFUSED');
    expect(await place.prompts(other)).toEqual(['Two']);
    await removeProject(other, place.owner, { home, withHistory: true });
    await adopt(shop, other, place.owner, { home });
    expect(await place.prompts(other)).toEqual(['One']);
    expect(await codeOf(() => adopt(shop, other, place.owner, { home }))).toBe('PROJECT_NOT_INDEXED');
  });

  it('goes on where it was cut off', async () => {
    await place.record(shop, 's', ask('One'));
    const moved = join(place.folder, 'market');
    renameSync(shop, moved);
    mkdirSync(join(home, pathHash(moved)));
    renameSync(join(home, pathHash(shop), 'durable'), join(home, pathHash(moved), 'durable'));
    await adopt(shop, moved, place.owner, { home });
    expect(await place.prompts(moved)).toEqual(['One']);
    expect(projectOf(shop, { home })).toBeNull();
  });
});

describe('a project that is removed', () => {
  it('loses its code graph, and keeps its traces', async () => {
    await place.index(shop);
    await place.record(shop, 's', ask('Mend it'));
    const dry = await removeProject(shop, place.owner, { home, dryRun: true });
    expect(dry).toMatchObject({ root: shop, dry_run: true, bytes: { durable: 0, backups: 0 } });
    expect(dry.bytes.derived).toBeGreaterThan(0);
    expect(projectOf(shop, { home })).toMatchObject({ files: 1 });
    await removeProject(shop, place.owner, { home });
    expect(projectOf(shop, { home })).toMatchObject({ bytes: { derived: 0 }, files: null });
    expect(await place.prompts(shop)).toEqual(['Mend it']);
  });

  it('loses its history too when that is asked for, also after its root has vanished', async () => {
    await place.index(shop);
    await place.record(shop, 's', ask('Mend it'));
    await place.owner.backup(shop);
    expect(projectOf(shop, { home })?.bytes.backups).toBeGreaterThan(0);
    rmSync(shop, { recursive: true });
    await removeProject(shop, place.owner, { home, withHistory: true });
    expect(listProjects({ home })).toEqual([]);
    expect(await codeOf(() => removeProject(shop, place.owner, { home }))).toBe('PROJECT_NOT_INDEXED');
  });

  it('is listed no more when it was watched, too', async () => {
    await place.index(shop);
    mkdirSync(cookiesOf(shop, { home }), { recursive: true });
    await removeProject(shop, place.owner, { home, withHistory: true });
    expect(listProjects({ home })).toEqual([]);
  });

  it('keeps a history that other worktrees share, unless it is told', async () => {
    const second = join(place.folder, 'second');
    place.git(shop, 'worktree', 'add', '-q', second);
    await place.record(shop, 's', ask('Mend it'));
    await place.index(second);
    const remove = (force: boolean) => removeProject(second, place.owner, { home, withHistory: true, force });
    expect(await codeOf(() => remove(false))).toBe('HISTORY_REFUSED');
    expect(await place.prompts(shop)).toEqual(['Mend it']);
    expect(await remove(true)).toMatchObject({ shared_with: [shop] });
    expect(await place.prompts(shop)).toEqual([]);
  });

  it('stays while somebody has it open', async () => {
    await place.index(shop);
    await using graph = await openGraph(shop, { home });
    expect(await codeOf(() => removeProject(shop, place.owner, { home }))).toBe('STORE_LOCKED');
    expect(graph.root).toBe(shop);
    expect(projectOf(shop, { home })).toMatchObject({ files: 1 });
  });
});

describe('a collection', () => {
  const collect = (dryRun = false) => collectGarbage(place.owner, Date.now() + 7_200_000, { home, dryRun });

  it('drops the graphs of vanished roots, and keeps their traces', async () => {
    await place.index(shop);
    await place.record(shop, 's', ask('Mend it'));
    const other = place.repository('other');
    await place.index(other);
    rmSync(shop, { recursive: true });
    expect((await collect(true)).dropped).toMatchObject([{ what: 'derived', root: shop, kept: null }]);
    expect(projectOf(shop, { home })?.bytes.derived).toBeGreaterThan(0);
    expect((await collect()).bytes).toBeGreaterThan(0);
    expect(projectOf(shop, { home })).toMatchObject({ bytes: { derived: 0 }, files: null });
    expect(projectOf(shop, { home })?.bytes.durable).toBeGreaterThan(0);
    expect((await collect()).dropped).toEqual([]);
  });

  it('drops the graphs that were used least recently while all take too much, but never the last', async () => {
    const roots = [shop, place.repository('b'), place.repository('c')];
    for (const root of roots) await place.index(root);
    for (const [at, root] of roots.entries()) setUsed(root, `2026-01-0${at + 1}T00:00:00.000Z`);
    changeSetting('cache_bytes', Math.round((projectOf(shop, { home })?.bytes.derived ?? 0) * 2.5), null, {
      home,
    });
    expect((await collect()).dropped.map(({ root }) => root)).toEqual([shop]);
    changeSetting('cache_bytes', 0, null, { home });
    expect((await collect()).dropped.map(({ root }) => root)).toEqual([roots[1]]);
    expect((await collect()).dropped).toEqual([]);
  });

  it('names what is in use, and leaves it', async () => {
    await place.index(shop);
    await place.index(place.repository('b'));
    setUsed(shop, '2026-01-01T00:00:00.000Z');
    changeSetting('cache_bytes', 0, null, { home });
    await using graph = await openGraph(shop, { home });
    setUsed(shop, '2026-01-01T00:00:00.000Z');
    const { dropped, bytes } = await collect();
    expect(dropped).toMatchObject([{ root: graph.root, kept: expect.stringContaining('held') }]);
    expect(bytes).toBe(0);
  });

  it('drops the backups that seven newer ones make superfluous', async () => {
    await place.index(shop);
    const backups = join(home, pathHash(shop), 'backups');
    mkdirSync(backups);
    const names = Array.from({ length: 9 }, (_, day) => `2026-05-0${day + 1}T00-00-00.000Z-r${day}.jsonl.gz`);
    for (const name of names) writeFileSync(join(backups, name), 'x'.repeat(1000));
    const old = names.slice(0, 2).map((name) => ({ what: 'backup', path: join(backups, name), bytes: 1000 }));
    expect((await collect(true)).dropped).toMatchObject(old);
    await collect();
    expect(readdirSync(backups)).toEqual(names.slice(2));
  });

  it('drops what crashes left, when it is old', async () => {
    await place.index(shop);
    mkdirSync(join(home, 'spool'));
    const old = [join(home, 'spool', 'a.jsonl'), join(home, pathHash(shop), 'derived.removed')];
    for (const path of old) writeFileSync(path, 'x');
    const young = join(home, 'spool', 'b.jsonl');
    writeFileSync(young, 'x');
    const later = new Date(Date.now() + 7_200_000);
    utimesSync(young, later, later);
    expect((await collect()).dropped.map(({ path }) => path).sort()).toEqual(old.sort());
    expect([...old, young].map((path) => existsSync(path))).toEqual([false, false, true]);
  });

  function setUsed(root: string, used_at: string): void {
    const folder = join(home, pathHash(root));
    const file = join(folder, 'project.json');
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), used_at }));
  }
});

describe('a pause', () => {
  it('of one project is its setting; of all it is a file that recorders look for', () => {
    expect(pausedBy(shop, { home })).toBeNull();
    setPaused(true, shop, { home });
    expect([pausedBy(shop, { home }), pausedBy('/other', { home })]).toEqual(['project', null]);
    setPaused(true, null, { home });
    expect([pausedBy(shop, { home }), pausedBy('/other', { home })]).toEqual(['all', 'all']);
    expect(existsSync(pauseFile({ home }))).toBe(true);
    setPaused(false, null, { home });
    expect([pausedBy(shop, { home }), pausedBy(null, { home })]).toEqual(['project', null]);
    setPaused(false, shop, { home });
    expect(pausedBy(shop, { home })).toBeNull();
    expect(existsSync(pauseFile({ home }))).toBe(false);
  });
});
