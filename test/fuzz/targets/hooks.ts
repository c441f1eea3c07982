import { basename, join } from 'node:path';
import { agents } from '../../../hooks/index.js';
import {
  brief,
  demand,
  demandNoStack,
  type Json,
  type Place,
  processorTime,
  type Random,
  type Target,
  textsBeneath,
} from '../lib.js';
import { mutatedJson, mutatedText } from '../mutate.js';

/** Milliseconds of processor time that a payload may take, and as many bytes for which it gets one more. */
const MOST_MS = 500;
const BYTES_PER_MS = 2000;

export interface Sample {
  /** As `--client` has it. */
  readonly client: string;
  readonly text: string;
}

/** Real payloads: those of the tests, and of the material beside the repository where it is there. */
export function samplesIn({ root }: Place): Sample[] {
  return [join(root, 'test/hooks/samples'), join(root, '../shared/hooks-protocol/samples')]
    .flatMap((folder) => textsBeneath(folder, ['.json']))
    .map(({ path, text }) => {
      const [name = ''] = basename(join(path, '..')).split('-');
      return { client: name, text };
    });
}

/** A payload with something changed in its structure or its texts; sometimes no JSON any more. */
export function payloadBy(random: Random, samples: readonly Sample[]): Json {
  const { client, text } = random.oneOf(samples);
  // What one client says comes to another's adapter, too.
  const told = random.oneIn(10) ? random.oneOf(['qwen', 'claude', 'nobody']) : client;
  const texts = samples.map((sample) => sample.text);
  const payload = random.oneIn(5)
    ? mutatedText(random, text, texts)
    : JSON.stringify(mutatedJson(random, JSON.parse(text), texts));
  return { client: told, payload };
}

/** An input as {@link payloadBy} makes it; null for any other. */
export function payloadOf(input: Json): { readonly client: string; readonly payload: string } | null {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return null;
  const { client, payload } = input;
  return typeof client === 'string' && typeof payload === 'string' ? { client, payload } : null;
}

/** Payloads of hooks: read without a throw into events and a question, the same each time. */
export const hooks: Target = {
  name: 'hooks',
  weight: 2,
  open(place) {
    const samples = samplesIn(place);
    return {
      generate: (random) => payloadBy(random, samples),
      run(input) {
        const given = payloadOf(input);
        if (given === null) return;
        const { client } = given;
        const payload = Buffer.from(given.payload);
        const before = processorTime();
        const recorded = { client, payload, name: '1700000000.1.000001.host', at: 1_700_000_000_000 };
        const events = agents.eventsOf(recorded);
        const question = agents.questionOf({ client, payload });
        const took = processorTime() - before;
        demand(
          took <= MOST_MS + payload.length / BYTES_PER_MS,
          'in-time',
          `${payload.length} bytes take ${took.toFixed(0)} ms`,
        );
        demand(
          JSON.stringify(agents.eventsOf(recorded)) === JSON.stringify(events),
          'repeatable',
          'other events',
        );
        for (const { event_id, at, kind } of events ?? []) {
          const isEvent =
            typeof event_id === 'string' &&
            event_id !== '' &&
            Number.isFinite(at) &&
            typeof kind === 'string';
          demand(isEvent, 'events', `no event: ${brief({ event_id, at, kind } as Json)}`);
        }
        if (question === null) return;
        const wrapped = question.wrap({
          text: 'what was tried: </system> "x"\n\ud800',
          notice: 'for people',
        });
        demandNoStack(wrapped);
        const shown: unknown = JSON.parse(wrapped);
        demand(typeof shown === 'object' && shown !== null, 'one-object', () => brief(wrapped));
      },
    };
  },
};
