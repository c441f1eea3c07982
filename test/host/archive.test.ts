import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Archive, type ArchiveLine } from '../../host/index.js';

function folder(): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'codewalk-archive-')));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return join(made, 'archive');
}

const line = (id: string, text = ''): ArchiveLine => ({ type: 'node', id, archetype: 'X', props: { text } });
const ids = (archive: Archive) => [...archive.replay()].map((one) => ('id' in one ? one.id : ''));
const LATER = { sync: false };

it('gives back its lines in their order, whatever stands in them, for the user alone', () => {
  const place = folder();
  const archive = new Archive(place);
  const lines = [line('a', 'x\n\u2028\u2029\r\u0000é'), line('b')];
  archive.append(lines.slice(0, 1), { sync: true });
  new Archive(place).append(lines.slice(1), LATER);
  expect([...archive.replay()]).toEqual(lines);
  expect(statSync(place).mode & 0o777).toBe(0o700);
  expect(statSync(join(place, readdirSync(place)[0] ?? '')).mode & 0o777).toBe(0o600);
});

it('passes over a line that was cut, and what comes after it is whole', () => {
  const place = folder();
  new Archive(place).append([line('a')], LATER);
  appendFileSync(join(place, '00000001.jsonl'), '{"type":"node","id":"half');
  const archive = new Archive(place);
  archive.append([line('b')], LATER);
  expect(ids(archive)).toEqual(['a', 'b']);
});

it('leaves out lines so that no byte of them stays', () => {
  const place = folder();
  const archive = new Archive(place);
  archive.append([line('a', 'forget me'), line('b'), line('c', 'forget me')], LATER);
  expect(archive.rewrite((one) => one.type !== 'node' || one.props.text === '')).toBe(2);
  archive.append([line('d')], LATER);
  expect(ids(archive)).toEqual(['b', 'd']);
  const bytes = readdirSync(place).map((name) => readFileSync(join(place, name), 'utf8'));
  expect(bytes.join('')).not.toContain('forget');
  expect(archive.rewrite(() => false)).toBe(2);
  expect(readdirSync(place)).toEqual([]);
});

it('begins a new file when one is large, and removes the oldest ones first', () => {
  const archive = new Archive(folder());
  const big = 'x'.repeat(9 * 1024 * 1024);
  for (const id of ['a', 'b', 'c', 'd', 'e']) archive.append([line(id, big)], LATER);
  const size = archive.size();
  expect(archive.trim(size)).toBe(0);
  expect(archive.trim(size - 1)).toBeGreaterThan(0);
  expect(ids(archive)).toEqual(['c', 'd', 'e']);
  archive.trim(0);
  expect(ids(archive)).toEqual(['e']);
});

it('is empty where nothing was recorded', () => {
  const archive = new Archive(folder());
  expect([ids(archive), archive.size(), archive.trim(0), archive.rewrite(() => false)]).toEqual([
    [],
    0,
    0,
    0,
  ]);
});
