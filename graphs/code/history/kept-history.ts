import { z } from 'zod';
import type { CommitTopic } from './commit-topic.js';

/** Raised when the same commits come to other concepts: the history is read again. */
const VERSION = 1;

/** The name under which the mark of the history that was read is kept. */
export const HISTORY_MARK = 'history';
/** The name under which what it came to is kept: files that change are joined to it without reading it again. */
export const HISTORY_TOPICS = 'history/topics';

const texts = z.array(z.string()).readonly();
const Topics = z
  .array(z.object({ label: z.string(), description: z.string(), paths: texts, names: texts }))
  .readonly();

/** The mark as it is kept: with the version of what reads it. */
export function markBytes(mark: string | null): Uint8Array {
  return Buffer.from(`${VERSION} ${mark ?? ''}`);
}

/** Topics as the bytes that are kept. */
export function topicBytes(topics: readonly CommitTopic[]): Uint8Array {
  return Buffer.from(JSON.stringify(topics));
}

/** Topics from their bytes; none where they are not readable. */
export function readTopics(bytes: Uint8Array | undefined): readonly CommitTopic[] {
  if (!bytes) return [];
  try {
    const parsed = Topics.safeParse(JSON.parse(Buffer.from(bytes).toString('utf8')));
    return parsed.success ? parsed.data : [];
  } catch {
    return [];
  }
}
