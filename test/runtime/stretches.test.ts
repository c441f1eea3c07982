import { describe, expect, it } from 'vitest';
import { Stretches } from '../../runtime/stretches.js';

function loop() {
  const due: (() => void)[] = [];
  /** Turns once: what was due before runs, then what that began. */
  const turn = async () => {
    for (const then of due.splice(0)) then();
    await new Promise((done) => setImmediate(done));
  };
  const drain = async () => {
    while (due.length > 0) await turn();
  };
  return { next: (then: () => void) => void due.push(then), turn, drain };
}

/** A run that takes so many stretches of 5 ms, and tells of each. */
async function work(name: string, stretches: Stretches, count: number, log: string[], bytes = 0) {
  const { sharing, end } = stretches.share();
  await sharing.begin();
  sharing.hold(bytes);
  for (let done = 1; done <= count; done++) {
    log.push(name);
    if (done < count) await sharing.turn(5 * done);
  }
  end();
}

describe('runs that share a thread', () => {
  it('work one stretch to a turn of the loop, however many there are', async () => {
    const { next, turn } = loop();
    const stretches = new Stretches(Number.POSITIVE_INFINITY, undefined, next);
    const log: string[] = [];
    for (let at = 0; at < 24; at++) void work(`heavy ${at}`, stretches, 3, log);
    await Promise.resolve();
    for (let turns = 0; turns < 30; turns++) {
      const before = log.length;
      await turn();
      expect(log.length - before).toBeLessThanOrEqual(1);
    }
    expect(stretches.waiting).toBeGreaterThan(20);
  });

  it('go on with whoever has worked least: one that came late overtakes those that worked long', async () => {
    const { next, turn, drain } = loop();
    const stretches = new Stretches(Number.POSITIVE_INFINITY, undefined, next);
    const log: string[] = [];
    void work('long', stretches, 20, log);
    void work('other', stretches, 20, log);
    for (let turns = 0; turns < 12; turns++) await turn();
    const before = log.length;
    void work('late', stretches, 3, log);
    await drain();
    expect(log.slice(before).indexOf('late')).toBe(0);
    expect(log.slice(before, before + 3).filter((one) => one === 'late')).toHaveLength(3);
    expect(log.filter((one) => one === 'long')).toHaveLength(20);
    expect(log.filter((one) => one === 'other')).toHaveLength(20);
  });

  it('go on one by one, the first one first, while they hold too much together', async () => {
    const { next, drain } = loop();
    const stretches = new Stretches(100, undefined, next);
    const log: string[] = [];
    void work('first', stretches, 4, log, 60);
    void work('second', stretches, 4, log, 60);
    await drain();
    const begun = log.indexOf('second') + 1;
    expect(log.slice(begun, begun + 3)).not.toContain('second');
    expect(log.filter((one) => one === 'second')).toHaveLength(4);
  });

  it('begin at once where nobody else is at work', () => {
    const { next } = loop();
    const { sharing } = new Stretches(Number.POSITIVE_INFINITY, undefined, next).share();
    expect(sharing.begin()).toBeUndefined();
  });
});
