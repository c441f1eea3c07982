import { expect, it } from 'vitest';
import { CypherError } from '../../cypher/index.js';
import { CodewalkError } from '../../schema/index.js';

it('an error of ours is no error of a query, but one of a query is one of ours', () => {
  const query = new CypherError('CYPHER_RUNTIME', 'too large', {
    fault: { kind: 'Limit', phase: 'runtime', detail: 'Size' },
    span: null,
  });
  expect(new CodewalkError('INVALID_INPUT', 'no') instanceof CypherError).toBe(false);
  expect(query instanceof CypherError).toBe(true);
  expect(query instanceof CodewalkError).toBe(true);
  // Each bundle has a copy of the class.
  expect(Object.assign(new Error('no'), { name: 'CodewalkError' }) instanceof CodewalkError).toBe(true);
});
