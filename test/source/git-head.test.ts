import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { gitHead, historyMark } from '../../source/index.js';

function repository(): { root: string; git: (...args: string[]) => string } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'codewalk-head-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
  const git = (...args: string[]) =>
    execFileSync('git', [...who, ...args], { cwd: root, encoding: 'utf8' }).trim();
  git('init', '-q', '-b', 'trunk');
  writeFileSync(join(root, 'a.txt'), 'a');
  return { root, git };
}

test('a work tree stands at a branch and its commit, also where the branch is packed', () => {
  const { root, git } = repository();
  expect(gitHead(root)).toEqual({ commit: null, branch: 'trunk' });
  git('add', '.');
  git('commit', '-qm', 'one');
  const commit = git('rev-parse', 'HEAD');
  expect(gitHead(root)).toEqual({ commit, branch: 'trunk' });
  git('pack-refs', '--all');
  expect(gitHead(root)).toEqual({ commit, branch: 'trunk' });
});

test('a linked work tree has a branch of its own, a detached one none', () => {
  const { root, git } = repository();
  git('add', '.');
  git('commit', '-qm', 'one');
  const commit = git('rev-parse', 'HEAD');
  const linked = join(root, 'linked');
  git('worktree', 'add', '-q', '-b', 'feature/x', linked);
  expect(gitHead(linked)).toEqual({ commit, branch: 'feature/x' });
  git('checkout', '-q', '--detach');
  expect(gitHead(root)).toEqual({ commit, branch: null });
});

test('outside of any repository there is neither', () => {
  expect(gitHead('/')).toEqual({ commit: null, branch: null });
});

test('a history has one mark while HEAD stands where it stood, and another after it moved', () => {
  const { root, git } = repository();
  const marks = [historyMark(root)];
  const moved = () => {
    const mark = historyMark(root);
    expect(historyMark(root)).toBe(mark);
    expect(mark).not.toBe(marks.at(-1));
    marks.push(mark);
  };
  git('add', '.');
  git('commit', '-qm', 'one');
  moved();
  git('commit', '--allow-empty', '-qm', 'two');
  moved();
  git('checkout', '-q', '-b', 'side', 'HEAD~1');
  moved();
  git('pack-refs', '--all');
  git('commit', '--allow-empty', '-qm', 'three');
  moved();
  git('checkout', '-q', '--detach');
  moved();
  expect(historyMark('/')).toBeNull();
});
