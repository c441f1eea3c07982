import { expect } from 'vitest';
import type { EventKind } from '../../../schema/index.js';
import { EtgLogEvent } from '../../../walkers/trace/etg-log-event.js';
import { exported, open } from '../../walkers/project.js';

/** One event as an adapter of a client sends it. */
export interface Sent {
  readonly kind: EventKind;
  readonly payload: Record<string, unknown>;
  readonly [more: string]: unknown;
}

/** The day on which events are sent, in milliseconds since 1970. */
export const DAY = Date.UTC(2026, 0, 5);

/** An event of one session at a second of that day; the second names it. */
export const at = (
  second: number,
  more: Pick<Sent, 'kind' | 'payload'> & { tool_id?: string; step_id?: string; task_id?: string },
): Sent => ({
  session_id: 's1',
  event_id: `e${second}`,
  ts: second % 2 === 0 ? DAY + second * 1000 : new Date(DAY + second * 1000).toISOString(),
  ...more,
});

/** The durable export after these events, in this order. */
export async function after(events: readonly Sent[]): Promise<string> {
  const graph = await open(':memory:');
  for (const event of events) await graph.spawn(EtgLogEvent, null, event);
  const lines = await exported(graph, 'durable');
  await graph.close();
  return lines.map((line) => JSON.stringify(line)).join('\n');
}

/** A shuffle that is the same in every run. */
export function shuffled<T>(items: readonly T[], seed: number): T[] {
  const result = [...items];
  let state = seed * 2654435761;
  for (let i = result.length - 1; i > 0; i--) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    const other = (state >>> 8) % (i + 1);
    const [a, b] = [result[i], result[other]];
    if (a !== undefined && b !== undefined) [result[i], result[other]] = [b, a];
  }
  return result;
}

/** The orders in which a session's events are tried, with some of them twice. */
export function ordersOf(events: readonly Sent[], many: number): readonly (readonly Sent[])[] {
  const orders = [[...events].reverse()];
  for (let seed = 1; seed <= many; seed++)
    orders.push(shuffled([...events, ...shuffled(events, seed).slice(0, 9)], seed));
  return orders;
}

/**
 * The lines of the durable export after events. With `orders`, checks that they are the same the other way round, and in so
 * many orders with some events twice: `order.test.ts` shows it of whole sessions.
 */
export async function linesAfter(events: readonly Sent[], orders = 0) {
  const inOrder = await after(events);
  for (const other of orders > 0 ? ordersOf(events, orders) : []) expect(await after(other)).toBe(inOrder);
  return parsed(inOrder);
}

/** The lines of an export as text. */
export const parsed = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
