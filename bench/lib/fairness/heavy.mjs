// Heavy questions of several kinds, as somebody writes them who knows what hurts: each would run for seconds or for ever.
const numbers = (count) => Array.from({ length: count }, (_, at) => at + 100_000).join(',');
const names = (count) => Array.from({ length: count }, (_, at) => `'name${at}'`).join(',');

/** By what they are heavy in; `at` makes each text another one. */
const KINDS = {
  'cross product': (at) => `MATCH (a:Function),(b:Function),(c:Function) RETURN count(*), ${at}`,
  'cross product of texts': (at) => `MATCH (a:Function),(b:Function) RETURN max(a.name + b.name + '${at}')`,
  'every way': (at) => `MATCH p=(a)-[*]->(b) RETURN count(p), ${at}`,
  'every shortest way': (at) =>
    `MATCH (a:File),(b:File), p=allShortestPaths((a)-[*]-(b)) RETURN count(p), ${at}`,
  'range times range': (at) =>
    `UNWIND range(1,100000) AS a UNWIND range(1,100000) AS b RETURN sum(a*b+${at})`,
  'list in a list': (at) =>
    `RETURN size([x IN range(1,100000) WHERE none(y IN range(1,100000) WHERE y = -x-${at})])`,
  'long list': (at) =>
    `WITH range(1,4000000) AS l RETURN reduce(s=${at}, x IN l | s+x), [x IN l WHERE x%2=0 | x*x][5]`,
  sort: (at) =>
    `UNWIND range(1,1000000) AS a WITH toString(a+${at}) AS s ORDER BY s DESC RETURN collect(s)[0]`,
  collect: (at) => `UNWIND range(1,2000000) AS a RETURN size(collect(DISTINCT toString(a+${at})))`,
  'every node with every node': (at) =>
    `MATCH (n) WITH collect(n) AS l UNWIND l AS a UNWIND l AS b RETURN count(DISTINCT a.name+b.name), ${at}`,
  'long text': (at) =>
    `WITH reduce(s='ab', x IN range(1,21)|s+s) AS t UNWIND range(1,300) AS i RETURN sum(size(replace(t,'a','bb'))), ${at}`,
  pattern: (at) =>
    `WITH reduce(s='a', x IN range(1,15)|s+s) AS t UNWIND range(1,20000) AS i WITH t, i WHERE t =~ '(.*a){10}b' RETURN count(*), ${at}`,
  'list that holds itself': (at) => `RETURN reduce(s=[${at}], x IN range(1,60)|[s,s]) AS n`,
  'long answer': (at) => `RETURN range(1,3000000) AS l, ${at} AS at`,
  'long list in the text': (at) => `RETURN size([${at},${numbers(120_000)}])`,
  'names in the text': (at) => `MATCH (n) WHERE n.name IN ['${at}',${names(60_000)}] RETURN n`,
  'long map in the text': (at) =>
    `RETURN {${Array.from({ length: 60_000 }, (_, key) => `k${key}:${key + at}`).join(',')}}`,
  brackets: (at) => `RETURN ${at} ${'('.repeat(500_000)}`,
};

/** So many heavy questions, of each kind as many as of the others; or of one kind alone. */
export function heavyQuestions(count, only = null) {
  const kinds = Object.entries(KINDS).filter(([kind]) => only === null || kind === only);
  return Array.from({ length: count }, (_, at) => {
    const [kind, query] = kinds[at % kinds.length];
    return { kind, walker: 'query_cypher', input: { query: query(at) } };
  });
}

/** A walker of somebody's own that never yields. */
export const WALKERS = `import { defineWalker } from 'codewalk';
export default defineWalker('looping', { start: () => null, on: () => [], finish: async () => { for (;;); } });
`;
