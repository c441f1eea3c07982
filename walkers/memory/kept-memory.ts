import type { PropsInput } from '../../runtime/index.js';
import { LIMITS, type Memory } from '../../schema/index.js';
import { keptText } from '../trace/kept-text.js';

/** What a memory says, in the words of whoever says it. */
export interface Said {
  readonly title?: string | undefined;
  readonly content?: string | undefined;
  readonly summary?: string | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly importance?: number | undefined;
  readonly confidence?: number | undefined;
  readonly effectiveness?: number | null | undefined;
}

/** What was said of a memory as it is stored: secrets masked (P-04), each tag once; what was not said is left out. */
export function keptSaid(said: Said): Partial<PropsInput<typeof Memory>> {
  const { memoryTitle, memoryContent, memorySummary, memoryTag } = LIMITS;
  const kept = (one: string, most: number) => keptText(one, most).text;
  const told: Record<string, unknown> = {
    title: said.title === undefined ? undefined : kept(said.title, memoryTitle.max),
    content: said.content === undefined ? undefined : kept(said.content, memoryContent.max),
    summary: said.summary ? kept(said.summary, memorySummary.max) : said.summary === '' ? null : said.summary,
    tags: said.tags && [...new Set(said.tags.map((tag) => kept(tag, memoryTag.max)))],
    importance: said.importance,
    confidence: said.confidence,
    effectiveness: said.effectiveness,
  };
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
}
