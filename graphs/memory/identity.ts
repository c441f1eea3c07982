import { z } from 'zod';
import { didYouMean, isNear, shownLine } from '../../present/index.js';
import { compareText, type NodeRef, type ReadContext, type WriteContext } from '../../runtime/index.js';
import { CodewalkError, Memory, MemoryVersion, memoryVersionId, parseId } from '../../schema/index.js';
import { masked } from '../../source/index.js';
import type { MemoryRef } from './text.js';

const MOST_SUGGESTIONS = 3;
/** Characters of an id that may stand for it. */
const SHORTEST = 4;

/**
 * The memory with this id, or the only one whose id begins so.
 *
 * @param field The input's name, for the message.
 * @throws CodewalkError `NODE_NOT_FOUND` with the nearest ids, or where to read what a deleted memory said.
 */
export async function memoryNamed(
  context: Pick<ReadContext, 'nodesOf' | 'findIds'>,
  given: string,
  field = 'memory_id',
): Promise<MemoryRef> {
  const [exact] = await context.nodesOf(Memory, [given]);
  if (exact && !exact.gone) return exact;
  const ids = await context.findIds(Memory);
  const begun = ids.filter((id) => id.startsWith(given));
  const isEnough = given.length >= SHORTEST && begun.length === 1;
  const [only] = isEnough ? await context.nodesOf(Memory, begun) : [];
  if (only) return only;
  const last = (await versionsOf(context, given)).at(-1);
  if (last && 'replaced_at' in last)
    throw new CodewalkError('NODE_NOT_FOUND', `${field}: '${given}' was deleted ${last.replaced_at}`, {
      input: given,
      suggestion: `memory_as_of with the time ${last.said_at} shows what it said.`,
    });
  const near = (begun.length > 0 ? begun : ids.filter((id) => isNear(given, id))).sort(compareText);
  const some = begun.length === 1 ? 'one id begins' : `${begun.length} ids begin`;
  const why = begun.length > 0 ? `${some} with` : 'there is no memory';
  const least = given.length < SHORTEST ? `, at least ${SHORTEST} characters` : '';
  const more = begun.length > 0 ? `Give more of it${least}. ` : '';
  throw new CodewalkError('NODE_NOT_FOUND', `${field}: ${why} '${shownLine(given, 100)}'`, {
    input: given,
    suggestion: `${didYouMean(near.slice(0, MOST_SUGGESTIONS))}${more}memory_search finds memories by words, tags and types.`,
  });
}

/** Ids of trace nodes, and of versions of memories and relations. */
const RESERVED = [/^(?:task|step|tool|checkpoint|error|event|cursor):/u, /@\d+$/u, /@\d{4}-[\dT:.-]+Z$/u];
/** Characters that do not show: two ids could look the same. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Why a new memory cannot have an id; null where it can. */
export function whyNoMemoryId(id: string): string | null {
  if (masked(id) !== id) return 'it holds a secret';
  if (HIDDEN.test(id)) return 'it has characters that do not show';
  const isReserved = parseId(id) !== null || RESERVED.some((form) => form.test(id));
  return isReserved ? 'ids of this form mean something else in the graph' : null;
}

/** The blob with the ids of the latest requests whose effect does not show in the graph. */
const DONE = 'memory/requests-done';
/** A client that lost an answer asks again at once: fewer other requests are done meanwhile. */
const MOST_DONE = 64;

/** Whether this request was done when it was sent before; from now on it counts as done. */
export async function wasDone(context: StoreNames & Pick<WriteContext, 'requestId'>): Promise<boolean> {
  return context.requestId !== null && storeName(context, DONE, context.requestId, MOST_DONE);
}

type StoreNames = Pick<WriteContext, 'blobs' | 'putBlob'>;

/** Puts a name behind those of a durable blob, of which the latest ones stay. Answers whether it was there already. */
export async function storeName(
  context: StoreNames,
  blob: string,
  name: string,
  most: number,
): Promise<boolean> {
  const known = await storedNames(context, blob);
  if (known.includes(name)) return true;
  const latest = [...known, name].slice(-most);
  context.putBlob(blob, Buffer.from(JSON.stringify(latest)), 'durable');
  return false;
}

/** The names in a durable blob. */
export async function storedNames({ blobs }: Pick<ReadContext, 'blobs'>, blob: string): Promise<string[]> {
  const [bytes] = await blobs([blob], 'durable');
  try {
    return bytes ? z.array(z.string()).parse(JSON.parse(Buffer.from(bytes).toString('utf8'))) : [];
  } catch {
    // Damaged: a request may be done twice, a filter compares with today's root alone, until the next one is stored.
    return [];
  }
}

/** What a memory says, or an earlier version of it. */
export type StoredVersion = MemoryRef | NodeRef<typeof MemoryVersion>;

/** Versions that are looked for at a time, after the first one: most memories have none. */
const AT_ONCE = 32;

/** All that a memory said, the first version first, what it says now last; of a deleted one, what it said. */
export async function versionsOf(
  { nodesOf }: Pick<ReadContext, 'nodesOf'>,
  id: string,
): Promise<StoredVersion[]> {
  const found: StoredVersion[] = [];
  // Versions are numbered from 1 without gaps.
  for (let count = 1, first = 1; first === found.length + 1; first += count, count = AT_ONCE) {
    const ids = Array.from({ length: count }, (_, at) => memoryVersionId(id, first + at));
    found.push(...(await nodesOf(MemoryVersion, ids)).filter(({ gone }) => !gone));
  }
  return [...found, ...(await nodesOf(Memory, [id])).filter(({ gone }) => !gone)];
}
