import { createContext, Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { DOORS, type Door, refuses } from './doors.js';
import { BOMBS, hostileTexts, mutationsOf } from './texts.js';

/* Whatever comes in by whatever door is taken apart in little time: none of it stops those who wait for the thread. */

/** Characters of a long text, half of what is kept of an output, and of one of which mutations are made. */
const LONG = 8_000;
const SHORT = 300;
/** Milliseconds of processor time that a door may take for one text. */
const MOST = 20;
/** And for a quarter of one: even if it grew with the square, the whole would be quick. */
const QUICK = MOST / 16;
/** Texts that are tried in one go: each watched run starts a thread. */
const TOGETHER = 12;
/** Of so many doors, one tries a text at its full length anyway: what is long is read in other ways, too. */
const WHOLE = 8;
/**
 * On a machine on which everything takes longer, up to eight times as long: then it must not be more than ten times what
 * a quarter of the text takes, where the square would be sixteen. What takes less than five times as long is hardly
 * the square of anything: at its full length, that part of it would take no longer than the rest.
 */
const BUSY = { times: 8, growth: 10, straight: 4.8 };
/** Milliseconds after which a door that does not come back is interrupted. */
const HANGS = 2000;
/** Mutations of each of the bombs, and of each short text. */
const MUTATIONS = { bomb: 10, text: 1 };

const box = createContext({ work: null });
const script = new Script('work()');

/** Milliseconds of processor time that a door takes for a text; of some times the least: a busy machine may be slow once. */
async function timeOf(door: Door, text: string, { most = MOST, tries = 5 } = {}): Promise<number> {
  const times: number[] = [];
  while (times.length < tries && times.every((time) => time > most)) times.push(await once(door, text));
  return Math.min(...times);
}

/** Milliseconds of processor time that a door takes for texts, one after the other. */
async function once(door: Door, ...texts: readonly string[]): Promise<number> {
  const takes = texts.map((text) => door.given(text));
  const taken: unknown[] = [];
  box.work = () => {
    for (const take of takes) taken.push(outcomeOf(take));
  };
  const before = process.cpuUsage();
  try {
    script.runInContext(box, { timeout: HANGS });
  } catch (thrown) {
    if (Object(thrown).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return Number.POSITIVE_INFINITY;
    throw thrown;
  }
  for (const [at, one] of taken.entries()) {
    const thrown =
      one instanceof Thrown
        ? one.error
        : await Promise.resolve(one).then(
            () => null,
            (error) => error,
          );
    if (thrown !== null && !refuses(thrown))
      throw new Error(`${door.name}: ${JSON.stringify(texts[at]?.slice(0, 300))}`, { cause: thrown });
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

class Thrown {
  constructor(readonly error: unknown) {}
}

function outcomeOf(take: () => unknown): unknown {
  try {
    return take();
  } catch (error) {
    return new Thrown(error);
  }
}

const [WHOLES, QUARTERS, SIXTEENTHS] = [1, 4, 16].map((part) => hostileTexts(LONG / part)) as [
  Texts,
  Texts,
  Texts,
];
type Texts = ReturnType<typeof hostileTexts>;

/** Whether a part of a text tells that the whole of it takes little time. */
async function isQuick(door: Door, at: number): Promise<boolean> {
  const quarter = await timeOf(door, textAt(QUARTERS, at), { most: QUICK, tries: 2 });
  if (quarter <= QUICK) return true;
  const sixteenth = await timeOf(door, textAt(SIXTEENTHS, at), { most: 0, tries: 2 });
  return quarter <= MOST / 2 && quarter <= BUSY.straight * sixteenth;
}

function* batches<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += TOGETHER) yield all.slice(at, at + TOGETHER);
}

const textAt = (texts: Texts, at: number) => texts[at]?.text ?? '';

describe.each(DOORS.map((door, at) => [door.name, door, at] as const))('%s', (_, door, turn) => {
  // First: code that runs for the first time is compiled meanwhile.
  it('takes little time for what nearly is one, and for the texts that were found', async () => {
    const slow: string[] = [];
    const texts = [
      ...BOMBS.flatMap((bomb) => [bomb, ...mutationsOf(bomb, MUTATIONS.bomb)]),
      ...hostileTexts(SHORT).flatMap(({ text }, at) => [...mutationsOf(text, MUTATIONS.text, at + 1)]),
    ];
    for (const some of batches(texts)) {
      if ((await once(door, ...some)) <= MOST) continue;
      for (const text of some)
        if ((await timeOf(door, text)) > BUSY.times * MOST) slow.push(JSON.stringify(text));
    }
    expect(slow).toEqual([]);
  }, 600_000);

  it('takes little time for each long text', async () => {
    const slow: string[] = [];
    const left: number[] = [];
    let isFast = true;
    for (const some of batches([...WHOLES.keys()])) {
      // Of a door that was slow before, all together would only take time.
      isFast &&= (await once(door, ...some.map((at) => textAt(QUARTERS, at)))) <= QUICK;
      left.push(...some.filter((at) => at % WHOLE === turn % WHOLE || !isFast));
    }
    for (const at of left) {
      const { name, text } = WHOLES[at] ?? { name: '', text: '' };
      if (at % WHOLE !== turn % WHOLE && (await isQuick(door, at))) continue;
      const time = await timeOf(door, text, { tries: 1 });
      if (time <= MOST) continue;
      const quarter = await timeOf(door, textAt(QUARTERS, at), { most: 0, tries: 3 });
      if (time <= BUSY.times * MOST && time <= BUSY.growth * quarter) continue;
      const least = await timeOf(door, text);
      if (least > BUSY.times * MOST || least > Math.max(MOST, BUSY.growth * quarter))
        slow.push(`${name}: ${Math.round(least)} ms`);
    }
    expect(slow).toEqual([]);
  }, 600_000);
});
