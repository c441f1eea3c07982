import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { floorOf, houseFiles, roomOf } from './sources.js';

const FILES = houseFiles();

/** Imports of our own files, as paths from the root. */
const OWN_IMPORTS = FILES.flatMap((file) =>
  file.imports
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => {
      const target = posix.join(posix.dirname(file.path), specifier);
      const room = roomOf(target);
      return { file, specifier, target, room, shown: `${file.path} imports ${specifier}` };
    }),
);
const BETWEEN_ROOMS = OWN_IMPORTS.filter(({ file, room }) => room !== file.room);

describe('the house', () => {
  it('has files to look at, each in a room that has a floor', () => {
    expect(FILES.length).toBeGreaterThan(10);
    expect(FILES.filter((file) => floorOf(file.room) < 0).map((file) => file.path)).toEqual([]);
  });

  it('lets imports only point down', () => {
    const wrong = BETWEEN_ROOMS.filter(({ file, room }) => floorOf(room) >= floorOf(file.room));
    expect(wrong.map(({ shown }) => shown)).toEqual([]);
  });

  it('has one door per room: its index.ts', () => {
    const wrong = BETWEEN_ROOMS.filter(({ target, room }) => target !== `${room}/index.js`);
    expect(wrong.map(({ shown }) => shown)).toEqual([]);
  });

  it('spells imports as they are at run time, with .js', () => {
    const wrong = OWN_IMPORTS.filter(({ specifier }) => !specifier.endsWith('.js'));
    expect(wrong.map(({ shown }) => shown)).toEqual([]);
  });
});
