import { describe, expect, it } from 'vitest';
import { largeProjects } from '../../bench/lib/large-projects.mjs';
import { LIMITS } from '../../schema/index.js';
import { languages } from '../../source/languages/index.js';
import { createParser } from '../../source/parser.js';
import { createPlaces, createProgram, moduleTable, resolvePath } from '../../source/resolution/index.js';

/* Projects whose files name each other; `bench/growth.mjs --shapes` has all of them, as whole indexes. */

const parser = await createParser(languages);

/** Milliseconds of processor time below which a difference says nothing. */
const NOISE = 10;
const TRIES = 3;

function programOf(files: Readonly<Record<string, string>>) {
  const tables = new Map(
    Object.entries(files).map(([path, text]) => [path, moduleTable(parser.extractFile(path, text))]),
  );
  return () => createProgram(tables, createPlaces(Object.keys(files), []));
}

/** Resolves all files of a project: milliseconds of processor time, and how many things each file rests on. */
function resolvedAll(files: Readonly<Record<string, string>>, program = programOf(files)()) {
  const before = process.cpuUsage();
  const looked = Object.keys(files).map((path) => resolvePath(program, path).looked.length);
  const { user, system } = process.cpuUsage(before);
  return { time: (user + system) / 1000, looked };
}

function project(name: string) {
  const found = largeProjects.find((one) => one.name === name);
  if (!found) throw new Error(`no generator is called ${name}`);
  return found.files;
}

describe('files that name each other', () => {
  it.each(['ts: all of each other, ring', 'py: all of each other, star both ways'])(
    'rest on no more than is noted of any: %s',
    (name) => {
      const { looked } = resolvedAll(project(name)(540));
      expect(Math.max(...looked)).toBeLessThanOrEqual(LIMITS.lookups.max);
    },
  );

  it.each([
    'ts: all of each other, mesh',
    'py: all of each other, mesh',
    'js: all of each other, ladder in a ring',
    'ts: mixins, ring',
    'py: one name, ring',
  ])('take four times as long where they are four times as many: %s', (name) => {
    const [small, large] = [project(name)(150), project(name)(600)].map((files) => {
      const program = programOf(files);
      return () => resolvedAll(files, program()).time;
    });
    const least = { small: Number.POSITIVE_INFINITY, large: Number.POSITIVE_INFINITY };
    const isFine = () => least.large < 9 * Math.max(least.small, NOISE);
    for (let tries = 0; tries < TRIES && !isFine(); tries++) {
      least.small = Math.min(least.small, small?.() ?? 0);
      least.large = Math.min(least.large, large?.() ?? 0);
    }
    expect(least).toSatisfy(isFine);
  });
});

describe('names behind a circle of stars', () => {
  const files = {
    'a.ts': "export * from './b';\nexport const own = 1;",
    'b.ts': "export * from './c';\nexport const one = 1;\nexport const hidden = 1;",
    'c.ts': "export * from './a';\nexport * from './d';\nexport const hidden = 2;",
    'd.ts': 'export const far = 1;\nexport const own = 2;',
    'use.ts': "import { own, one, hidden, far, none } from './a';\nown(), one(), hidden(), far(), none();",
  };
  const named = (path: string) => {
    const { resolution } = resolvePath(programOf(files)(), path);
    return resolution.references.map(({ target }) => ('definition' in target ? target.file : 'unresolved'));
  };

  it('are those of whoever offers them first', () => {
    expect(named('use.ts')).toEqual(['a.ts', 'b.ts', 'b.ts', 'd.ts', 'unresolved']);
  });
});
