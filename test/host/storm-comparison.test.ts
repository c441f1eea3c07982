import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  compared,
  eventsOf,
  replay,
  type StormEvent,
  type Traces,
  tracesOf,
} from '../../bench/lib/storm/index.mjs';
import * as library from '../../index.js';

/* Whether the storm would notice what it is there to notice. */

const EVENTS = 80;
const folder = mkdtempSync(join(tmpdir(), 'codewalk-storm-'));
const root = join(folder, 'project');
const random = randomFrom(5);
const events = eventsOf(EVENTS, random);
let ought: Traces;
beforeAll(async () => {
  mkdirSync(root);
  ought = await after('serial', events);
});
afterAll(() => rmSync(folder, { recursive: true }));

it('tells of every event that is lost', async () => {
  for (const at of [0, 17, EVENTS - 1]) {
    const { lost, doubled, equal } = compared(await after(`lost-${at}`, events.toSpliced(at, 1)), ought);
    expect({ lost: lost.length, doubled: doubled.length, equal }).toEqual({
      lost: 1,
      doubled: 0,
      equal: false,
    });
  }
});

it('tells of an event that counted twice', async () => {
  const error = events.find(({ kind }) => kind === 'error') ?? events[0];
  const again = { ...error, event_id: 'another' } as StormEvent;
  const { lost, doubled, equal } = compared(await after('doubled', [...events, again]), ought);
  expect({ lost: lost.length, doubled: doubled.length, equal }).toEqual({
    lost: 0,
    doubled: 1,
    equal: false,
  });
});

async function after(name: string, sent: readonly StormEvent[]): Promise<Traces> {
  const home = join(folder, name);
  await replay(library, root, home, sent);
  return tracesOf(library, root, home);
}

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
