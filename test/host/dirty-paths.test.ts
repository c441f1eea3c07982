import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { FolderWatcher } from '../../host/freshness/folder-watcher.js';
import { DirtyPaths } from '../../host/freshness/project-watch.js';
import { scratch } from '../walkers/project.js';

it('a path that changes while it is being indexed stays dirty, and whoever asked before it changed need not wait', () => {
  const dirty = new DirtyPaths();
  dirty.add('a.ts');
  const asked = dirty.mark;
  const begun = dirty.mark;
  dirty.add('a.ts');
  dirty.add('b.ts');
  expect(dirty.at(asked)).toEqual(['a.ts']);
  dirty.settle(['a.ts'], begun);
  expect(dirty.at(asked)).toEqual([]);
  expect(dirty.at(dirty.mark)).toEqual(['a.ts', 'b.ts']);
  dirty.settle(['a.ts', 'b.ts'], dirty.mark);
  expect(dirty.size).toBe(0);
});

it('a set that was widened is dirty since the first of its paths was', () => {
  const dirty = new DirtyPaths();
  dirty.add('a.ts');
  const asked = dirty.mark;
  dirty.add('b.ts');
  dirty.widen();
  expect(dirty.at(asked)).toEqual(['']);
  dirty.settle(['a.ts', 'b.ts'], dirty.mark);
  expect(dirty.at(asked)).toEqual(['']);
});

if (process.platform === 'linux')
  it('a fence comes after every change before it, and watches nothing but folders', async () => {
    const root = scratch();
    mkdirSync(join(root, 'src'));
    const changed = new Set<string>();
    const watcher = new FolderWatcher(root, join(scratch(), 'fence'), {
      changed: (path) => changed.add(path),
      unsure: () => undefined,
    });
    onTestFinished(() => watcher.close());
    expect(await watcher.fence(1000)).toBe(false);
    expect(watcher.watch([root, join(root, 'src')])).toEqual([root, join(root, 'src')]);
    for (let at = 0; at < 300; at++) writeFileSync(join(root, 'src', `f${at}.ts`), '');
    expect(changed.size).toBe(0);
    expect(await watcher.fence(5000)).toBe(true);
    expect(changed.size).toBe(300);
    expect(watcher.size).toBe(2);
  });
