import { expect, it } from 'vitest';
import { largeFiles } from '../../bench/lib/large-files.mjs';
import { languages } from '../../source/languages/index.js';
import { createParser } from '../../source/parser.js';
import { createPlaces, createProgram, moduleTable, resolvePath } from '../../source/resolution/index.js';

const parser = await createParser(languages);

const SIZE = 150;
const TRIES = 4;
const TIMEOUT_MS = 120_000;
/** Four times the file costs four times as much, a little more where it is sorted; what grows with the square, sixteen. */
const MOST = 8;
/** Milliseconds below which a measurement says nothing. */
const LEAST = 5;

/** Each of these took the square of its length once; bench/growth-in-one-file.mjs has all constructs. */
const NAMES = [
  'ts: functions of one name',
  'ts: variables of one name',
  'ts: interfaces of one name',
  'ts: overloads of a function',
  'ts: interfaces of one class',
  'ts: classes that extend the next',
  'ts: aliases that fork',
  'ts: locals asked for backwards',
  'ts: exports of one name from another',
  'ts: exports of one name from itself',
  'ts: imports of one name',
  'js: keys of module.exports',
  'vue: unknown components of a template',
  'py: functions of one name',
  'py: classes that extend the one before',
];

/** Processor time of the process, in milliseconds: what a busy machine leaves alone. */
function spent(path: string, text: string): number {
  const before = process.cpuUsage();
  const table = moduleTable(parser.extractFile(path, text));
  resolvePath(createProgram(new Map([[path, table]]), createPlaces([path], [])), path);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

it.each(NAMES)(
  'reads four times as much of %s in four times the time',
  (name) => {
    const file = largeFiles.find((one) => one.name === name);
    if (!file) throw new Error(`no generator is called ${name}`);
    const [small, large] = [file.text(SIZE), file.text(4 * SIZE)];
    const times = { small: Number.POSITIVE_INFINITY, large: Number.POSITIVE_INFINITY };
    spent(file.path, small);
    for (let tries = 0; tries < TRIES; tries += 1) {
      times.small = Math.min(times.small, spent(file.path, small));
      times.large = Math.min(times.large, spent(file.path, large));
      if (times.large < MOST * Math.max(times.small, LEAST)) break;
    }
    expect(times.large).toBeLessThan(MOST * Math.max(times.small, LEAST));
  },
  TIMEOUT_MS,
);
