import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ReadContext } from '../../runtime/index.js';
import { TraceCursor } from '../../schema/index.js';
import { rememberedBy, toldCursorId } from '../trace/record-context.js';

/** Keys that are kept of one session: the latest. */
const MOST_KEYS = 500;

/** What a session was told. Keys are hashes: nothing could be read from them. */
export const Told = z.object({
  keys: z.array(z.string()).default([]),
  tokens: z.number().min(0).default(0),
});
export type Told = z.infer<typeof Told>;

/** What a session was told so far. @param session As it is kept. */
export async function toldBefore(session: string, { nodesOf }: Pick<ReadContext, 'nodesOf'>): Promise<Told> {
  const [cursor] = await nodesOf(TraceCursor, [toldCursorId(session)]);
  return rememberedBy(Told, cursor);
}

/** What was told, and what is told now. */
export function toldMore(before: Told, { keys, tokens }: Told): Told {
  return {
    keys: [...new Set([...before.keys, ...keys])].slice(-MOST_KEYS),
    tokens: before.tokens + tokens,
  };
}

/** What stands for something that a session is told. */
export function toldKey(session: string, key: string): string {
  return createHash('sha256')
    .update(JSON.stringify([session, key]))
    .digest('base64url')
    .slice(0, 22);
}
