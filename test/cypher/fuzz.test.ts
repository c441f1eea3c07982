import { describe, expect, it } from 'vitest';
import { mutations } from '../../bench/lib/cypher/mutations.mjs';
import { randomQueries } from '../../bench/lib/cypher/random-queries.mjs';
import { check } from '../../cypher/check/index.js';
import { CypherError } from '../../cypher/index.js';
import { parse } from '../../cypher/text/index.js';

const QUERIES = 1500;

/** Null where a query passes; the error where it is refused as it should be. Anything else is thrown on. */
function refusalOf(text: string): CypherError | null {
  try {
    check(parse(text), text);
    return null;
  } catch (error) {
    if (error instanceof CypherError) return error;
    throw error;
  }
}

describe('queries by chance', () => {
  it('pass for the most part, or are refused with a code and a place', () => {
    const { query } = randomQueries(7);
    let passed = 0;
    for (let at = 0; at < QUERIES; at++) {
      const error = refusalOf(query());
      if (error === null) passed++;
      else expect(error.span).not.toBeNull();
    }
    expect(passed / QUERIES).toBeGreaterThan(0.8);
  });

  it('broken, are refused with a code and a place', () => {
    const { query } = randomQueries(11);
    const { mutated } = mutations(13);
    let refused = 0;
    for (let at = 0; at < QUERIES; at++) {
      const text = mutated(query());
      const error = refusalOf(text);
      if (error === null) continue;
      refused++;
      expect(['CYPHER_SYNTAX', 'CYPHER_UNSUPPORTED']).toContain(error.code);
      expect(error.message).toMatch(/line \d+, column \d+:\n/);
      expect(error.span?.end).toBeLessThanOrEqual(text.length);
    }
    expect(refused / QUERIES).toBeGreaterThan(0.5);
  });
});
