import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  askedOf,
  draftBy,
  draftOf,
  type Fitted,
  fitted,
  pageFields,
  presented,
  type Shape,
  tokensOf,
} from '../../present/index.js';

interface Row {
  id: number;
  text?: string;
  tags?: string[];
}
interface Output {
  rows: Row[];
  beside: string[];
  note: string;
  count?: number;
}

const WHOLE: Output = {
  rows: Array.from({ length: 40 }, (_, id) => ({ id, text: `row ${id} `.repeat(5), tags: ['a', 'b', 'c'] })),
  beside: Array.from({ length: 10 }, (_, at) => `beside ${at}`),
  note: 'n'.repeat(400),
};
const SHAPE: Shape<Output> = {
  limit: { default: 500, max: 20_000 },
  lists: [
    { at: 'rows', what: 'rows' },
    { at: 'beside', what: 'others', least: 2 },
  ],
  less: [
    { field: 'note', what: 'The note' },
    { of: 'rows', field: 'text', what: 'Texts' },
    { of: 'rows', field: 'tags', what: 'Tags', to: 1 },
  ],
  settle: (output) => ({ ...output, count: output.rows.length }),
};
const QUESTION = { tokens: undefined, cursor: undefined, question: 'question' };
const DRAFT = draftBy(WHOLE, SHAPE);
const asJson = (output: Output, told: object) => tokensOf({ ...output, told });

describe('an answer that is made to fit', () => {
  test('is whole where there is room', () => {
    const { output, cut, cursor } = fitted(DRAFT, { ...QUESTION, tokens: 5000 }, asJson);
    expect([output, cut, cursor]).toEqual([{ ...WHOLE, count: 40 }, [], null]);
  });

  test.each([800, 700, 500, 300, 200, 120])(
    'holds a budget of %i tokens with all that it says of itself',
    (tokens) => {
      const { output, cut, cursor } = fitted(DRAFT, { ...QUESTION, tokens }, asJson);
      expect(tokensOf({ ...output, told: { cut, cursor } })).toBeLessThanOrEqual(tokens);
      expect(output.count).toBe(output.rows.length);
      expect(output.rows.map(({ id }) => id)).toEqual(
        WHOLE.rows.slice(0, output.rows.length).map(({ id }) => id),
      );
      expect(cut).toHaveLength(1);
    },
  );

  test('leaves details out in their order, each from the last row on, before a row falls', () => {
    const { output, cut } = fitted(DRAFT, { ...QUESTION, tokens: 800 }, asJson);
    expect(output.rows).toHaveLength(40);
    expect(output.note).toBe('');
    const kept = output.rows.filter(({ text }) => text !== undefined).length;
    expect(kept).toBeGreaterThan(0);
    expect(output.rows.slice(0, kept)).toEqual(WHOLE.rows.slice(0, kept));
    expect(cut).toEqual([
      `The note is left out. Texts are left out from row ${kept + 1} on: max_tokens up to 20000 gives more.`,
    ]);
  });

  test('lets rows of the last list fall first, down to its least', () => {
    const { output } = fitted(DRAFT, { ...QUESTION, tokens: 200 }, asJson);
    expect(output.beside).toHaveLength(2);
    expect(output.rows.length).toBeGreaterThan(3);
    expect(output.rows[0]).toEqual({ id: 0, tags: ['a'] });
  });

  test('is cut by the size of the form that is asked for, and says nothing of what that does not show', () => {
    const asLines = (output: Output, { cut }: { cut: readonly string[] }) =>
      tokensOf([...output.rows.map(({ id }) => `- ${id}`), ...cut].join('\n'));
    const whole = fitted(DRAFT, { ...QUESTION, tokens: 100 }, asLines);
    expect([whole.output.rows.length, whole.cut]).toEqual([40, []]);
    const { output, cut } = fitted(DRAFT, { ...QUESTION, tokens: 50 }, asLines);
    expect(output.rows.length).toBeGreaterThan(3);
    expect(cut.join()).not.toMatch(/Texts|Tags|note/u);
  });

  test('goes on where its cursor says, to the last row', () => {
    const ids: number[] = [];
    let cursor: string | null = null;
    do {
      const page: Fitted<Output> = fitted(
        DRAFT,
        { ...QUESTION, tokens: 150, cursor: cursor ?? undefined },
        asJson,
      );
      ids.push(...page.output.rows.map(({ id }) => id));
      cursor = page.cursor;
    } while (cursor !== null && ids.length < 100);
    expect(ids).toEqual(WHOLE.rows.map(({ id }) => id));
  });

  test('refuses a cursor of another question, of another graph, and what is none', () => {
    const { cursor } = fitted(DRAFT, { ...QUESTION, tokens: 150 }, asJson);
    expect(cursor).toMatch(/^.{8,40}$/u);
    const asked = { ...QUESTION, cursor: cursor ?? '' };
    const refused = (draft: typeof DRAFT, given: typeof asked) => () => fitted(draft, given, asJson);
    expect(refused(DRAFT, { ...asked, question: 'anotherq' })).toThrow('another question');
    expect(refused({ ...DRAFT, revision: 7 }, asked)).toThrow('older graph');
    for (const text of ['', 'x', 'question..', 'question.1.-1', `${cursor}.!`])
      expect(refused(DRAFT, { ...asked, cursor: text })).toThrow('cursor');
  });

  test('keeps its draft beside its fields, where no copy and no JSON has it', () => {
    const output = presented(DRAFT);
    expect(draftOf(output)?.whole).toEqual({ ...WHOLE, count: 40 });
    expect([draftOf({ ...output }), JSON.parse(JSON.stringify(output))]).toEqual([
      null,
      { ...WHOLE, count: 40 },
    ]);
  });

  test('asks the same question on every page, whatever its budget', () => {
    const walker = {
      name: 'list',
      input: z.object({ of: z.string().default('all'), ...pageFields({ default: 1, max: 9 }) }).loose(),
    };
    const { question } = askedOf(walker, '/root', { of: 'all', max_tokens: 5 });
    expect(askedOf(walker, '/root', { cursor: 'abc', limit: 3 }).question).toBe(question);
    expect(askedOf(walker, '/root', { of: 'some' }).question).not.toBe(question);
    expect(askedOf(walker, '/other', {}).question).not.toBe(question);
  });
});
