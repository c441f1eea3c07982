import { DOORS, refuses } from '../../hostile/doors.js';
import { BOMBS, hostileTexts } from '../../hostile/texts.js';
import { INTRUDERS, mutatedText, repetitive } from '../mutate.js';
import { demand, processorTime, type Target } from '../target.js';

/** Milliseconds of processor time that a door may take for a text of at most {@link LONGEST} characters. */
const MOST_MS = 50;
const LONGEST = 60_000;

/** Every function through which texts of others come in, with texts that nearly are what it looks for. */
export const doors: Target = {
  name: 'doors',
  weight: 3,
  open: () => {
    const names = DOORS.map(({ name }) => name);
    const texts = [...BOMBS, ...hostileTexts(2000).map(({ text }) => text)];
    return {
      generate(random) {
        const text = random.oneIn(3)
          ? repetitive(random, INTRUDERS)
          : mutatedText(random, random.oneOf(texts), texts);
        return { door: random.oneOf(names), text: text.slice(0, LONGEST) };
      },
      async run(input) {
        if (typeof input !== 'object' || input === null || Array.isArray(input)) return;
        const { door: name, text } = input;
        const door = DOORS.find((one) => one.name === name);
        if (door === undefined || typeof text !== 'string' || text.length > LONGEST) return;
        const times: number[] = [];
        // Of three times the least: a busy machine may be slow once.
        while (times.length < 3 && times.every((time) => time > MOST_MS)) {
          const take = door.given(text);
          const before = processorTime();
          try {
            await take();
          } catch (thrown) {
            if (!refuses(thrown)) throw thrown;
          }
          times.push(processorTime() - before);
        }
        const least = Math.min(...times);
        demand(
          least <= MOST_MS,
          'in-time',
          () => `${name}: ${text.length} characters take ${least.toFixed(0)} ms`,
        );
      },
    };
  },
};
