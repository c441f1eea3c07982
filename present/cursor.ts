import { createHash } from 'node:crypto';
import { z } from 'zod';
import { CodewalkError } from '../schema/index.js';
import type { TokenLimit } from './tokens.js';

const LONGEST = 200;
/** Figures of a cursor are written in this base: it is short, and nobody reads it. */
const BASE = 36;
/** A row that no answer reaches: a cursor beyond it was not made by an answer. */
const LAST_OFFSET = 1_000_000;
/** Fields of a question that do not change which rows there are. */
const PAGING: ReadonlySet<string> = new Set(['cursor', 'limit', 'max_nodes', 'max_tokens']);

/** Where a page begins. */
export interface Cursor {
  /** Tells the question apart from others: see {@link Asked.question}. */
  readonly question: string;
  /** Of the code graph; null for records, which grow while they are paged. */
  readonly revision: number | null;
  /** Rows of each list that earlier pages have shown. */
  readonly offsets: readonly number[];
}

/** The input fields of a walker that lists rows (P-02): the budget of an answer, in tokens, and its page. */
export function pageFields(limit: TokenLimit) {
  return {
    max_tokens: z.number().int().min(1).max(limit.max).optional().describe(`Default ${limit.default}`),
    cursor: z
      .string()
      .max(LONGEST)
      .optional()
      .describe('state.cursor')
      .meta({ help: 'Next rows: state.cursor of the answer before' }),
  };
}

/** The input field of a number within bounds, as of the rows that a list shows at most. */
export function limitField({ min, max, default: usual }: { min: number; max: number; default: number }) {
  return z.number().int().min(min).max(max).default(usual);
}

/** What is asked of an answer: its budget and its page. */
export interface Asked {
  /** The caller's `max_tokens`; undefined: the answer's default. */
  readonly tokens: number | undefined;
  /** Where the page begins; undefined: at the first row. */
  readonly cursor: string | undefined;
  /** Tells the question apart from others, whatever its page and its budget: eight characters. */
  readonly question: string;
}

/** What an input asks of a walker's answer. @param root The project's; null for a graph in memory. */
export function askedOf(
  { name, input: schema }: { readonly name: string; readonly input: z.ZodType },
  root: string | null,
  given: Readonly<Record<string, unknown>>,
): Asked {
  const { max_tokens: tokens, cursor } = given;
  const input = (schema.safeParse(given).data ?? given) as object;
  return {
    tokens: typeof tokens === 'number' ? tokens : undefined,
    cursor: typeof cursor === 'string' ? cursor : undefined,
    question: questionDigest(name, root, input),
  };
}

function questionDigest(walker: string, root: string | null, input: object): string {
  const fields = Object.entries(input).filter(([name, value]) => !PAGING.has(name) && value !== undefined);
  const question = [walker, root, fields.sort(([a], [b]) => (a < b ? -1 : 1))];
  return createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, 8);
}

/** A cursor as callers get it: small and opaque. */
export function cursorText({ question, revision, offsets }: Cursor): string {
  const figures = [revision ?? '', ...offsets];
  return [question, ...figures.map((one) => one.toString(BASE))].join('.');
}

/** Reads a cursor. @throws CodewalkError `INVALID_INPUT` where the text is none. */
export function readCursor(text: string): Cursor {
  const [question = '', revision = '', ...offsets] = text.split('.');
  const figure = (one: string) => (/^[0-9a-z]{1,8}$/u.test(one) ? Number.parseInt(one, BASE) : Number.NaN);
  const read = offsets.map(figure);
  const isRead = question.length === 8 && read.length > 0 && read.every((one) => one <= LAST_OFFSET);
  if (!isRead || (revision !== '' && Number.isNaN(figure(revision))))
    throw wrongCursor(text, 'is not a valid cursor');
  return { question, revision: revision === '' ? null : figure(revision), offsets: read };
}

/** Rows of each list that the pages before a cursor have shown; empty without one. @throws as {@link readCursor}. */
export function offsetsOf(cursor: string | undefined): readonly number[] {
  return cursor === undefined ? [] : readCursor(cursor).offsets;
}

/** The error of a cursor that cannot be used. @param why What is wrong with it. */
export function wrongCursor(text: string, why: string): CodewalkError {
  return new CodewalkError('INVALID_INPUT', `cursor: '${text}' ${why}`, {
    input: text,
    suggestion: 'Ask without `cursor`: the answer names the cursor of its next page.',
  });
}
