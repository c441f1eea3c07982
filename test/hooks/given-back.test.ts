import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { agents } from '../../hooks/index.js';
import { TraceIngest } from '../../walkers/trace/trace-ingest.js';
import { index, open, write } from '../walkers/project.js';

/** The project that the recorded sessions worked in, before they did. */
const CART = {
  'package.json': '{"name": "cart", "type": "module"}',
  'src/price.js': `export function applyDiscount(total, pct) {
  return total - total * pct;
}

export function formatPrice(n) {
  return '$' + n.toFixed(2);
}
`,
  'src/cart.js': `import { applyDiscount, formatPrice } from './price.js';

export class Cart {
  items = [];
  total(pct = 0) {
    return applyDiscount(10, pct);
  }
  receipt(pct = 0) {
    return formatPrice(this.total(pct));
  }
}
`,
  'test/cart.test.js': `import test from 'node:test';
import { Cart } from '../src/cart.js';

test('10 percent discount', () => {
  new Cart().total(10);
});
`,
};

const Payload = z.looseObject({ session_id: z.string(), hook_event_name: z.string() });
const Wrapped = z.object({ hookSpecificOutput: z.object({ additionalContext: z.string() }) });

/** One thing that an agent was given. */
interface Given {
  readonly session: string;
  readonly event: string;
  readonly text: string;
}

/** Plays recorded payloads as a daemon takes them in: each is recorded, then answered. */
async function given(client: string, recording: string): Promise<Given[]> {
  const root = write(CART);
  const graph = await open(root);
  await index(graph);
  const lines = readFileSync(new URL(`recordings/${recording}.jsonl`, import.meta.url), 'utf8').trim();
  const all: Given[] = [];
  for (const [at, line] of lines.replaceAll('/project', root).split('\n').entries()) {
    const payload = Buffer.from(line);
    const recorded = {
      client,
      payload,
      name: String(at).padStart(6, '0'),
      at: 1_795_307_000_000 + at * 1000,
    };
    const events = [...(agents.eventsOf(recorded) ?? [])].map((event) => ({ ...event, at: recorded.at }));
    const question = agents.questionOf({ client, payload });
    if (events.length === 0 && question === null) continue;
    const input = { events, question: question?.input } as never;
    const { text } = (await graph.spawn(TraceIngest, null, input)).output;
    if (question === null || text === null) continue;
    const { session_id, hook_event_name } = Payload.parse(JSON.parse(line));
    const { additionalContext } = Wrapped.parse(
      JSON.parse(question.wrap({ text, notice: null })),
    ).hookSpecificOutput;
    all.push({ session: session_id, event: hook_event_name, text: additionalContext });
  }
  return all;
}

describe.each([
  ['qwen', 'qwen-js-cart'],
  ['qwen', 'qwen-old-js-cart'],
  ['claude', 'claude-js-cart'],
])('%s, as recorded in %s', (client, recording) => {
  test('the second session gets the fix of the first one, both sides of it, within 2,000 tokens', async () => {
    const all = await given(client, recording);
    const sessions = [...new Set(all.map(({ session }) => session))];
    expect(sessions).toHaveLength(2);
    const [first = [], second = []] = sessions.map((id) => all.filter(({ session }) => session === id));
    const read = first.find(({ event }) => event.endsWith('ToolUse'));
    expect(read?.text).toContain('applyDiscount is called by Cart.total (src/cart.js)');
    const prompted = second.find(({ event }) => event === 'UserPromptSubmit');
    expect(prompted?.text).toContain('percentage like 10');
    expect(prompted?.text).toContain(
      '\n  fixed in src/price.js:\n    - return total - total * pct;\n    + return total - (total * pct) / 100;\n',
    );
    expect(all.reduce((sum, { text }) => sum + text.length, 0) / 4).toBeLessThan(2000);
    expect(new Set(all.map(({ session, text }) => session + text)).size).toBe(all.length);
  });
});
