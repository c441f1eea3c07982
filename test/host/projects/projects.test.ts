import { execFileSync } from 'node:child_process';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { findProject, listProjects, openGraph } from '../../../host/index.js';
import { readProjectFile, writeProjectFile } from '../../../host/projects/project-file.js';
import { OpenGraphs } from '../../../host/worker/open-graphs.js';
import { pathHash } from '../../../storage/index.js';
import { scratchFolders } from '../../storage/scratch.js';
import { Place } from './places.js';

const scratch = scratchFolders();
let place: Place;
let home: string;
let shop: string;

beforeEach(() => {
  place = new Place(scratch());
  ({ home, shop } = place);
});

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
    const recently = usedBefore(30_000);
    await use();
    expect(used()).toBe(recently);
    usedBefore(61_000);
    await use();
    expect(used() >= opened.used_at).toBe(true);
    await graphs.close();
  });

  it('whose root has vanished are gone, and are found by the path that they had', async () => {
    await place.index(shop);
    rmSync(shop, { recursive: true });
    expect(listProjects({ home })).toMatchObject([{ root: shop, gone: true }]);
    expect(findProject(shop, { home })).toMatchObject({ root: shop });
    expect(findProject(join(place.folder, 'other'), { home })).toBeNull();
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
    expect(findProject(shop, { home })).toMatchObject({ kind: 'project', files: 1 });
  });

  it('of earlier versions say nothing of themselves until they are opened again', async () => {
    await place.index(shop);
    const hash = listProjects({ home })[0]?.hash ?? '';
    rmSync(join(home, hash, 'project.json'));
    expect(listProjects({ home })).toMatchObject([{ root: null, hash, kind: 'unknown', gone: false }]);
    expect(findProject(shop, { home })).toMatchObject({ hash });
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
