import { type DetailAt, type Draft, draftBy, type ListAt } from '../../present/index.js';
import { LIMITS } from '../../schema/index.js';

/** What memories, or versions of them, say shorter before they fall (P-02): ids, titles, types and scores stay. */
function lessOf(of: string): readonly DetailAt[] {
  const contents = (to: number) => ({ of, field: 'content', what: 'Contents', to });
  return [
    ...[2000, 500, 200].map(contents),
    { of, field: 'context', what: 'Contexts', shorter: () => ({}) },
    { of, what: 'Contents and tags', shorter: withoutContent },
    { of, field: 'about', what: 'Lists of what memories are about', to: 3 },
    { of, field: 'summary', what: 'Summaries', as: null },
    contents(0),
  ];
}

/** A summary stands for its content. */
function withoutContent(row: Listed): Listed {
  return { ...row, content: row.summary === null ? row.content : '', tags: row.tags.slice(0, 5) };
}

interface Listed {
  readonly content: string;
  readonly summary: string | null;
  readonly tags: readonly string[];
}

/** The draft of an answer that lists memories, or versions of them. */
export function memoriesDraft<O extends object>(whole: O, ...lists: readonly ListAt[]): Draft<O> {
  return draftBy(whole, { limit: LIMITS.lookupTokens, lists, less: lists.flatMap(({ at }) => lessOf(at)) });
}

/**
 * The list of what was found of many: one more than a page shows is looked for.
 *
 * @param known How many are known, from the first page's first one on.
 */
export function foundMemories(from: number, known: number, limit: number): ListAt {
  return { at: 'results', what: 'memories', from, total: known, isExact: known <= from + limit };
}
