import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { answer, findProject, listProjects, openGraph } from '../../host/index.js';
import { scratchFolders } from '../storage/scratch.js';

const scratch = scratchFolders();
let home: string;
let place: string;
let shop: string;

beforeEach(() => {
  place = realpathSync.native(scratch());
  home = join(place, 'graphs');
  shop = repository(join(place, 'shop'));
});

/** A repository with one commit. */
function repository(root: string): string {
  mkdirSync(join(root, 'src'), { recursive: true });
  writeFileSync(join(root, 'src', 'a.ts'), 'export const a = 1;\n');
  git(root, 'init', '-q');
  git(root, 'add', '.');
  git(root, 'commit', '-qm', 'The beginning');
  return root;
}

function git(root: string, ...args: string[]): void {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false'];
  execFileSync('git', ['-C', root, ...who, ...args], { stdio: 'ignore' });
}

/** Indexes a root; the answer. */
async function index(root: string) {
  await using graph = await openGraph(root, { home });
  return await answer(graph, 'graph_index_project', {});
}

async function begin(root: string, user_prompt: string): Promise<void> {
  await using graph = await openGraph(root, { home });
  await answer(graph, 'etg_log_event', { kind: 'task_start', payload: { user_prompt } });
}

describe('projects', () => {
  it('are listed by their root, with what they take and what their last index found', async () => {
    expect(listProjects({ home })).toEqual([]);
    await index(shop);
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

  it('whose root has vanished are gone, and are found by the path that they had', async () => {
    await index(shop);
    rmSync(shop, { recursive: true });
    expect(listProjects({ home })).toMatchObject([{ root: shop, gone: true }]);
    expect(findProject(shop, { home })).toMatchObject({ root: shop });
    expect(findProject(join(place, 'other'), { home })).toBeNull();
  });

  it('that are worktrees name the history that they share', async () => {
    git(shop, 'worktree', 'add', '-q', '../second');
    await begin(join(place, 'second'), 'Mend it');
    const rows = listProjects({ home });
    expect(rows.map(({ root, kind, history }) => ({ root, kind, history }))).toEqual([
      { root: join(place, 'second'), kind: 'worktree', history: shop },
      { root: shop, kind: 'history', history: shop },
    ]);
    expect(rows.map(({ bytes }) => bytes.durable > 0)).toEqual([false, true]);
    await index(shop);
    expect(findProject(shop, { home })).toMatchObject({ kind: 'project', files: 1 });
  });

  it('of earlier versions say nothing of themselves until they are opened again', async () => {
    await index(shop);
    const hash = listProjects({ home })[0]?.hash ?? '';
    rmSync(join(home, hash, 'project.json'));
    expect(listProjects({ home })).toMatchObject([{ root: null, hash, kind: 'unknown', gone: false }]);
    expect(findProject(shop, { home })).toMatchObject({ hash });
    writeFileSync(join(home, hash, 'project.json'), '{');
    expect(listProjects({ home })).toMatchObject([{ root: null }]);
    await index(shop);
    expect(listProjects({ home })).toMatchObject([{ root: shop, files: 1 }]);
  });
});

describe('a first index', () => {
  it('names the vanished root that the repository may have moved from', async () => {
    const first = await index(shop);
    expect(first.body.moved_from).toBeUndefined();
    const moved = join(place, 'market');
    renameSync(shop, moved);
    const { body, markdown } = await index(moved);
    expect(body.moved_from).toBe(shop);
    expect(markdown).toContain(`codewalk adopt ${shop} ${moved}`);
    expect((await index(moved)).body.moved_from).toBeUndefined();
  });

  it('takes neither another repository for it, nor another part of the same one, nor one that is still there', async () => {
    await index(join(shop, 'src'));
    const copy = join(place, 'copy');
    execFileSync('git', ['clone', '-q', shop, copy]);
    expect((await index(copy)).body.moved_from).toBeUndefined();
    rmSync(shop, { recursive: true });
    const other = repository(join(place, 'other'));
    writeFileSync(join(other, 'b.ts'), '');
    git(other, 'add', '.');
    git(other, 'commit', '-q', '--amend', '-m', 'Another beginning');
    expect((await index(other)).body.moved_from).toBeUndefined();
    const again = join(place, 'again');
    execFileSync('git', ['clone', '-q', copy, again]);
    expect((await index(again)).body.moved_from).toBeUndefined();
    expect((await index(join(again, 'src'))).body.moved_from).toBe(join(shop, 'src'));
  });
});
