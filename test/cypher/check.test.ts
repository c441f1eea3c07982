import { describe, expect, it } from 'vitest';
import { check } from '../../cypher/check/index.js';
import { CypherError } from '../../cypher/index.js';
import { parse } from '../../cypher/text/index.js';

function refusal(text: string): CypherError {
  try {
    check(parse(text), text);
  } catch (error) {
    if (error instanceof CypherError) return error;
    throw error;
  }
  throw new Error(`${text} passed`);
}

describe('a query that contradicts itself', () => {
  it.each([
    ['MATCH (n) RETURN m', 'UndefinedVariable'],
    ['MATCH (n) WITH n.x AS x RETURN n', 'UndefinedVariable'],
    ['MATCH (n) WHERE (n)-->(m) RETURN n', 'UndefinedVariable'],
    ['MATCH (n) RETURN [x IN [1] | y]', 'UndefinedVariable'],
    ['MATCH (n) CALL { RETURN n AS m } RETURN m', 'UndefinedVariable'],
    ['MATCH (n) RETURN DISTINCT n.x ORDER BY n.y', 'UndefinedVariable'],
    ['MATCH (a)-[a]->() RETURN a', 'VariableTypeConflict'],
    ['MATCH (a)-[r*]->() MATCH ()-[r]->() RETURN a', 'VariableTypeConflict'],
    ['WITH 1 AS n MATCH (n) RETURN n', 'VariableTypeConflict'],
    ['MATCH (n) WITH collect(n.x) AS xs, count(*) AS c MATCH (c) RETURN c', 'VariableTypeConflict'],
    ['MATCH p = (a) MATCH p = (b) RETURN p', 'VariableAlreadyBound'],
    ['MATCH (n) UNWIND [1] AS n RETURN n', 'VariableAlreadyBound'],
    ['MATCH (n) CALL { MATCH (n) RETURN n } RETURN n', 'VariableAlreadyBound'],
    ['MATCH ()-[r]->()-[r]->() RETURN r', 'RelationshipUniquenessViolation'],
    ['MATCH (n $all) RETURN n', 'InvalidParameterUse'],
    ['MATCH (n) WHERE count(n) > 1 RETURN n', 'InvalidAggregation'],
    ['MATCH (n) RETURN n.x ORDER BY max(n.y)', 'InvalidAggregation'],
    ['RETURN [x IN [1] | count(*)]', 'InvalidAggregation'],
    ['RETURN count(count(*))', 'NestedAggregation'],
    ['RETURN count(rand())', 'NonConstantExpression'],
    ['MATCH (n) RETURN n.x + count(*)', 'AmbiguousAggregationExpression'],
    ['MATCH (n) RETURN n LIMIT n.x', 'NonConstantExpression'],
    ['MATCH (n) RETURN n LIMIT -1', 'NegativeIntegerArgument'],
    ['MATCH (n) RETURN n SKIP 1.5', 'InvalidArgumentType'],
    ['RETURN NOT 1', 'InvalidArgumentType'],
    ["RETURN 1 IN 'a'", 'InvalidArgumentType'],
    ['MATCH (n) WHERE (n) RETURN n', 'InvalidArgumentType'],
    ['MATCH ()-[r]->() RETURN length(r)', 'InvalidArgumentType'],
    ["RETURN any(x IN ['a'] WHERE x % 2 = 0)", 'InvalidArgumentType'],
    ['MATCH (n) RETURN (n)-->()', 'UnexpectedSyntax'],
    ['MATCH (n) RETURN size((n)-->())', 'UnexpectedSyntax'],
    ['RETURN 1 AS a, 2 AS a', 'ColumnNameConflict'],
    ['MATCH () RETURN *', 'NoVariablesInScope'],
    ['MATCH (n) WITH n.x RETURN 1', 'NoExpressionAlias'],
    ['RETURN 1 AS a UNION RETURN 2 AS b', 'DifferentColumnsInUnion'],
    ['RETURN 1 AS a UNION RETURN 2 AS a UNION ALL RETURN 3 AS a', 'InvalidClauseComposition'],
    ['MATCH (n)', 'InvalidClauseComposition'],
    ['RETURN 1 AS a MATCH (n) RETURN n', 'InvalidClauseComposition'],
    ['RETURN size()', 'InvalidNumberOfArguments'],
    ['RETURN sise([])', 'UnknownFunction'],
  ])('%s: %s', (text, detail) => {
    expect(refusal(text).fault).toEqual({ kind: 'SyntaxError', phase: 'compile time', detail });
  });

  it('is told what may have been meant', () => {
    expect(refusal('MATCH (function) RETURN fucntion.name').suggestion).toBe('Did you mean function?');
    expect(refusal('RETURN sise([])').suggestion).toBe('Did you mean size?');
    expect(refusal('MATCH (n) WHERE n.name = main RETURN n').suggestion).toBe('Known here: n.');
  });

  it('points at the place', () => {
    expect(refusal('MATCH (n)\nRETURN n.x + m').message).toBe(
      'the variable m is not defined here, line 2, column 14:\n  RETURN n.x + m\n               ^',
    );
  });

  it('may ask a value for a property that it cannot have', () => {
    expect(refusal('WITH 1 AS n RETURN n.x').fault.kind).toBe('TypeError');
  });
});

describe('a query of very many parts', () => {
  const times = (count: number, text: (at: number) => string, between: string) =>
    Array.from({ length: count }, (_, at) => text(at)).join(between);

  it.each([
    ['clauses', `${times(20_000, () => 'WITH 1 AS a', ' ')} RETURN a`],
    ['nodes', `MATCH ${times(20_000, (at) => `(a${at})`, ', ')} RETURN 1 AS one`],
    ['hops', `MATCH (a)${times(20_000, () => '-->()', '')} RETURN a`],
    ['columns', `RETURN ${times(20_000, (at) => `${at} AS a${at}`, ', ')}`],
    ['unions', times(20_000, () => 'RETURN 1 AS a', ' UNION ')],
    ['subqueries', `RETURN ${times(5000, () => 'EXISTS { (a) }', ' AND ')} AS n`],
  ])('is refused: %s', (_, text) => {
    expect(refusal(text).fault.detail).toBe('QueryTooLarge');
  });

  it('passes where they are values', () => {
    const text = `MATCH (n) WHERE n.name IN [${times(20_000, (at) => `'name ${at}'`, ', ')}] RETURN n`;
    expect(() => check(parse(text), text)).not.toThrow();
  });
});

describe('a query for what this engine does not do', () => {
  it.each([
    ['CREATE (n)', 'CREATE is not supported'],
    ['MATCH (n) SET n.x = 1', 'SET is not supported'],
    ['MATCH (n) DETACH DELETE n', 'DELETE is not supported'],
    ['MERGE (n) RETURN n', 'MERGE is not supported'],
    ['MATCH (n) CALL { WITH n REMOVE n.x } RETURN n', 'REMOVE is not supported'],
    ['MATCH (n) FOREACH (x IN [1] | SET n.x = x)', 'FOREACH is not supported'],
    ['CALL db.labels()', 'the procedure db.labels is not supported'],
    ['RETURN apoc.text.join([], 1)', 'apoc.text.join()'],
  ])('%s is refused by name', (text, what) => {
    const error = refusal(text);
    expect(error.code).toBe('CYPHER_UNSUPPORTED');
    expect(error.message).toContain(what);
  });
});
