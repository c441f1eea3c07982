import { describe, expect, it } from 'vitest';
import type { Expression } from '../../cypher/ast.js';
import { CypherError } from '../../cypher/index.js';
import { parse } from '../../cypher/text/index.js';

/** An expression in a notation that shows what holds what. */
function shape(expression: Expression): string {
  switch (expression.kind) {
    case 'literal':
      return JSON.stringify(
        typeof expression.value === 'bigint' ? Number(expression.value) : expression.value,
      );
    case 'variable':
    case 'parameter':
      return expression.name;
    case 'property':
      return `${shape(expression.on)}.${expression.key}`;
    case 'not':
    case 'minus':
    case 'plus':
      return `(${expression.kind} ${shape(expression.operand)})`;
    case 'is null':
      return `(${shape(expression.operand)} ${expression.negated ? 'not ' : ''}null)`;
    case 'binary':
      return `(${shape(expression.left)} ${expression.operator} ${shape(expression.right)})`;
    case 'comparison':
      return `(${expression.operands.map((operand, at) => `${shape(operand)} ${expression.operators[at] ?? ''}`.trim()).join(' ')})`;
    default:
      return expression.kind;
  }
}

function returned(text: string): Expression {
  const clause = parse(`RETURN ${text}`).parts[0]?.clauses[0];
  if (clause?.kind !== 'return' || clause.items[0] === undefined) throw new Error('no RETURN');
  return clause.items[0].expression;
}

function refusal(text: string): CypherError {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof CypherError) return error;
    throw error;
  }
  throw new Error(`${text} was read`);
}

describe('an expression', () => {
  it.each([
    ['a OR b AND NOT c = d', '(a or (b and (not (c = d))))'],
    ['a XOR b OR c', '((a xor b) or c)'],
    ['1 + 2 * 3 ^ 4 ^ 5', '(1 + (2 * ((3 ^ 4) ^ 5)))'],
    ['-a ^ b', '((minus a) ^ b)'],
    ['1 < a.x <= 5', '(1 < a.x <= 5)'],
    ['a + b IN c', '((a + b) in c)'],
    ['a = b IS NULL', '(a = (b null))'],
    ["n.name STARTS WITH 'a' AND n.x IS NOT NULL", '((n.name starts with "a") and (n.x not null))'],
    ['(a)-1', '(a - 1)'],
    ['(a)--(b)', 'pattern'],
    ['(a)-[:T*1..3]->({x: 1})', 'pattern'],
    ['[x IN xs WHERE x:A | x.name]', 'list comprehension'],
    ['[x IN xs, y]', 'list'],
    ['[(a)-->(b) | b.name]', 'pattern comprehension'],
    ['[p = (a)-->(b:A|B) WHERE b:C | p]', 'pattern comprehension'],
    ['[p = (a)]', 'list'],
    ['any(x IN xs WHERE x > 1)', 'quantifier'],
    ['reduce(sum = 0, x IN xs | sum + x)', 'reduce'],
    ['count(*)', 'count star'],
    ['COUNT { (a)-->(b) WHERE b.x = 1 }', 'subquery'],
    ['EXISTS { MATCH (a) RETURN a UNION MATCH (b) RETURN b AS a }', 'subquery'],
    ['count {.x, y: 1, .*}', 'map projection'],
    ['shortestPath((a)-[*]-(b))', 'pattern'],
    ['exists(a.x)', '(a.x not null)'],
    ['CASE a WHEN 1 THEN 2 END', 'case'],
    ['a[1..]', 'slice'],
    ['a[..]', 'slice'],
    ['a[1]', 'subscript'],
  ])('%s is read as openCypher binds', (text, expected) => {
    expect(shape(returned(text))).toBe(expected);
  });
});

describe('a query', () => {
  it('knows its clauses, and columns are called what was written', () => {
    const { parts } = parse('MATCH (n:`Odd name`) RETURN  n.name+1 , (n) AS m;');
    const [match, last] = parts[0]?.clauses ?? [];
    expect(match).toMatchObject({ kind: 'match', patterns: [{ nodes: [{ labels: { name: 'Odd name' } }] }] });
    expect(last).toMatchObject({ kind: 'return', items: [{ name: 'n.name+1' }, { name: 'm' }] });
  });

  it('knows what an importing WITH or a scope clause brings into a subquery', () => {
    const imports = (text: string) => {
      const clause = parse(`MATCH (x) ${text} RETURN 1 AS one`).parts[0]?.clauses[1];
      if (clause?.kind !== 'call subquery') throw new Error('no subquery');
      return Array.isArray(clause.imports) ? clause.imports.map(({ name }) => name) : clause.imports;
    };
    expect(imports('CALL { WITH x RETURN x AS y }')).toEqual(['x']);
    expect(imports('CALL { WITH x RETURN x AS y UNION WITH z RETURN z AS y }')).toEqual(['x', 'z']);
    expect(imports('CALL { WITH 1 AS x RETURN x AS y }')).toBe(null);
    expect(imports('CALL { MATCH (y) RETURN y }')).toBe(null);
    expect(imports('CALL (x) { MATCH (y) RETURN y }')).toEqual(['x']);
    expect(imports('CALL (*) { MATCH (y) RETURN y }')).toBe('*');
  });

  it('knows that it is only to be explained', () => {
    expect(parse('explain RETURN 1').mode).toBe('explain');
    expect(parse('PROFILE RETURN 1').mode).toBe('profile');
  });
});

describe('a query that cannot be read', () => {
  it('says where, with a caret under it', () => {
    const error = refusal('MATCH (n)\nWHERE n.name = \nRETURN n');
    expect(error.code).toBe('CYPHER_SYNTAX');
    expect(error.message).toBe(
      'expected an expression, found the keyword RETURN, line 3, column 1:\n  RETURN n\n  ^^^^^^',
    );
    expect(error.suggestion).toContain('backticks');
  });

  it('shows of a long line the part around the place', () => {
    const { message } = refusal(`RETURN ${'1 + '.repeat(50)}} ${'+ 1'.repeat(50)}`);
    const [, line = '', caret = ''] = message.split('\n');
    expect(line.length).toBeLessThan(90);
    expect(line[caret.indexOf('^')]).toBe('}');
  });

  it.each([
    ['RETURN 1a', 'InvalidNumberLiteral'],
    ['RETURN 0x1g', 'InvalidNumberLiteral'],
    ['RETURN 9223372036854775808', 'IntegerOverflow'],
    ['RETURN 1e999', 'FloatingPointOverflow'],
    ["RETURN '\\uH'", 'InvalidUnicodeLiteral'],
    ['MATCH (a)-[*-1]->(b) RETURN b', 'InvalidRelationshipPattern'],
    ['RETURN [[1]', 'UnexpectedSyntax'],
    ['RETURN 1 LIMIT 1 SKIP 1', 'UnexpectedSyntax'],
  ])('%s: %s', (text, detail) => {
    expect(refusal(text).fault).toEqual({ kind: 'SyntaxError', phase: 'compile time', detail });
  });

  it.each([
    ['MATCH ((a)-->(b))+ RETURN 1', 'a quantified path pattern'],
    ['MATCH ANY SHORTEST (a)-->+(b) RETURN 1', 'ANY in front of a pattern'],
    ['MATCH (a)-[:!T]->(b) RETURN 1', 'between relationship types'],
    ["LOAD CSV FROM 'x' AS row RETURN row", 'LOAD CSV'],
    ['CREATE INDEX FOR (n:A) ON (n.x)', 'CREATE INDEX'],
    ['SHOW FUNCTIONS', 'SHOW'],
    ['RETURN 1 IS TYPED INTEGER', 'IS TYPED'],
  ])('%s is known and not supported', (text, what) => {
    const error = refusal(text);
    expect(error.code).toBe('CYPHER_UNSUPPORTED');
    expect(error.message).toContain(what);
  });
});

describe('a hostile text', () => {
  const DEEP = 10_000;
  it.each([
    ['parentheses', `RETURN ${'('.repeat(DEEP)}1${')'.repeat(DEEP)}`],
    ['parentheses that never close', `RETURN ${'('.repeat(DEEP)}`],
    ['NOT', `RETURN ${'NOT '.repeat(DEEP)} true`],
    ['minus', `RETURN ${'- '.repeat(DEEP)} 1`],
    ['lists', `RETURN ${'['.repeat(DEEP)}${']'.repeat(DEEP)}`],
    ['comprehensions', `RETURN ${'[x IN '.repeat(DEEP)}[]${']'.repeat(DEEP)}`],
    ['lists of truths', `RETURN ${'[x IN '.repeat(DEEP)}[]${', 1]'.repeat(DEEP)}`],
    ['maps', `RETURN ${'{a: '.repeat(DEEP)}1${'}'.repeat(DEEP)}`],
    ['CASE', `RETURN ${'CASE WHEN true THEN '.repeat(DEEP)}1${' END'.repeat(DEEP)}`],
    ['subqueries', `RETURN ${'EXISTS { RETURN '.repeat(DEEP)}1${'}'.repeat(DEEP)}`],
    ['CALL', `${'CALL { '.repeat(DEEP)} RETURN 1 ${'}'.repeat(DEEP)}`],
    ['label expressions', `MATCH (n:${'('.repeat(DEEP)}A${')'.repeat(DEEP)}) RETURN n`],
    ['denied labels', `MATCH (n:${'!'.repeat(DEEP)}A) RETURN n`],
    ['patterns in parentheses', `MATCH ${'('.repeat(DEEP)}a${')'.repeat(DEEP)} RETURN 1`],
    ['predicates in patterns', `MATCH ${'(a WHERE (a)--'.repeat(DEEP)}(b)${')'.repeat(DEEP)} RETURN 1`],
    ['sums', `RETURN ${'1 + '.repeat(DEEP)} 1`],
    ['properties', `RETURN a${'.b'.repeat(DEEP)}`],
    ['subscripts', `RETURN a${'[0]'.repeat(DEEP)}`],
    ['FOREACH', `${'FOREACH (x IN [1] | '.repeat(DEEP)}${')'.repeat(DEEP)}`],
    ['a string that does not end', `RETURN '${'x'.repeat(DEEP)}`],
    ['a comment that does not end', `RETURN 1 /*${'*'.repeat(DEEP)}`],
    ['a name that does not end', `RETURN \`${'``'.repeat(DEEP)}`],
    ['a lone surrogate', 'RETURN \ud800'],
    ['NUL', 'RETURN \0'],
    ['nothing', ''],
    ['a long number', `RETURN ${'9'.repeat(DEEP)}`],
  ])('of %s is refused with a place', (_, text) => {
    const error = refusal(text);
    expect(error.code).toBe('CYPHER_SYNTAX');
    expect(error.message).toMatch(/line 1, column \d+:\n/);
    expect(error.message.length).toBeLessThan(500);
  });

  it('of a megabyte is read', () => {
    const terms = Array.from({ length: 40_000 }, (_, at) => `n.property = 'value ${at}'`).join(' OR ');
    expect(terms.length).toBeGreaterThan(1_000_000);
    expect(parse(`MATCH (n) WHERE ${terms} RETURN n`).parts).toHaveLength(1);
    expect(parse(`RETURN [${'1, '.repeat(300_000)}1]`).parts).toHaveLength(1);
  });
});
