// Queries by chance: most of them make sense, so that they get far; `mutated` breaks them. The same seed, the same queries.
import { chance } from './chance.mjs';

const DEEPEST = 3;

/** What queries are made of where nothing else is asked for. */
const WORDS = {
  labels: ['A', 'B', 'Function', 'File'],
  types: ['T', 'CALLS', 'KNOWS'],
  properties: ['name', 'num', 'id', 'list'],
  parameters: ['p', 'limit'],
};

/**
 * A maker of queries.
 *
 * @param words Labels, types, properties and parameters that they use.
 */
export function randomQueries(seed, words = WORDS) {
  const { below, oneOf, maybe, some } = chance(seed);
  /** Variables in scope: by what they are. */
  let scope = [];
  let made = 0;
  let depth = 0;

  const fresh = (kind) => {
    const name = `${kind[0]}${made++}`;
    scope.push({ name, kind });
    return name;
  };
  const known = (...kinds) => {
    const found = scope.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));
    return found.length === 0 ? null : oneOf(found).name;
  };
  /** Runs with the scope as it is, and forgets what was added to it. */
  const within = (work) => {
    const before = scope;
    scope = [...scope];
    depth++;
    const text = work();
    depth--;
    scope = before;
    return text;
  };
  const hidden = (name, work) =>
    within(() => {
      scope.push({ name, kind: 'value' });
      return work();
    });

  const literal = () =>
    oneOf([
      () => String(below(100) - 50),
      () => `${below(10)}.${below(100)}`,
      () => oneOf(["'a'", "'b c'", '"it\'s"', "''", "'\\u00e9\\n'"]),
      () => oneOf(['true', 'false', 'null']),
      () => `$${oneOf(words.parameters)}`,
      () => oneOf(['[]', '[1, 2, 3]', "['a', null]", '{}', "{name: 'a', num: 1}"]),
    ])();

  const value = () => {
    if (depth >= DEEPEST) return known() ?? literal();
    depth++;
    const text = oneOf([literal, reference, reference, property, property, operation, call, structure])();
    depth--;
    return text;
  };
  const reference = () => known() ?? literal();
  const property = () => {
    const on = known('node', 'relationship');
    return on === null ? literal() : `${on}.${oneOf(words.properties)}`;
  };
  const number = () => oneOf([() => String(below(10)), () => known('value') ?? '1', property])();
  const list = () =>
    oneOf([() => '[1, 2, 3]', () => known('value') ?? '[]', property, () => `[${some(3, value)}]`])();
  const operation = () =>
    oneOf([
      () => `${number()} ${oneOf(['+', '-', '*', '/', '%', '^'])} ${number()}`,
      () => `${value()} + ${value()}`,
      () => `(${value()})`,
      () => `-${number()}`,
      () => `${list()}[${number()}]`,
      () => `${list()}[${number()}..${maybe(number)}]`,
      () => `CASE WHEN ${truth()} THEN ${value()} ${maybe(() => `ELSE ${value()} `)}END`,
      () => `CASE ${value()} WHEN ${value()} THEN ${value()} END`,
    ])();
  const call = () =>
    oneOf([
      () => `${oneOf(['size', 'head', 'last', 'tail', 'reverse'])}(${list()})`,
      () => `${oneOf(['toString', 'toInteger', 'abs', 'toUpper'])}(${value()})`,
      () => `${oneOf(['coalesce', 'range', 'split', 'left'])}(${value()}, ${value()})`,
      () => `${oneOf(['labels', 'id', 'properties'])}(${known('node') ?? 'null'})`,
      () => `${oneOf(['type', 'startNode', 'endNode'])}(${known('relationship') ?? 'null'})`,
      () => `${oneOf(['nodes', 'relationships', 'length'])}(${known('path') ?? 'null'})`,
    ])();
  const structure = () => {
    const local = `x${made++}`;
    return oneOf([
      () => `[${some(3, value)}]`,
      () => `{${some(3, () => `${oneOf(words.properties)}: ${value()}`)}}`,
      () => {
        const from = list();
        return hidden(local, () => `[${local} IN ${from} ${maybe(() => `WHERE ${truth()} `)}| ${value()}]`);
      },
      () => {
        const from = list();
        return hidden(local, () => `reduce(sum${local} = 0, ${local} IN ${from} | sum${local} + ${local})`);
      },
      () => within(() => `[${pattern(1)} ${maybe(() => `WHERE ${truth()} `)}| ${value()}]`),
      () =>
        `${oneOf(['COUNT', 'EXISTS'])} { ${within(() => `${maybe(() => 'MATCH ')}${pattern(1)} ${where()}`)}}`,
      () => `COLLECT { ${within(() => `MATCH ${pattern(1)} ${where()}RETURN ${value()} AS x`)} }`,
      () => {
        const on = known('node');
        return on === null ? literal() : `${on} {.${oneOf(words.properties)}, .*, y: ${value()}}`;
      },
    ])();
  };

  const truth = () => {
    if (depth >= DEEPEST) return oneOf(['true', 'false', `${reference()} IS NOT NULL`]);
    depth++;
    const text = oneOf([
      () => `${value()} ${oneOf(['=', '<>', '<', '<=', '>', '>='])} ${value()}`,
      () => `${value()} ${oneOf(['STARTS WITH', 'ENDS WITH', 'CONTAINS', '=~'])} ${value()}`,
      () => `${value()} IN ${list()}`,
      () => `${value()} IS ${maybe(() => 'NOT ')}NULL`,
      () => `${truth()} ${oneOf(['AND', 'OR', 'XOR'])} ${truth()}`,
      () => `NOT ${truth()}`,
      () => `(${truth()})`,
      () => {
        const on = known('node');
        return on === null ? 'true' : `${on}:${label()}`;
      },
      () => {
        const [from, to] = [known('node'), known('node')];
        return from === null ? 'false' : `(${from})${edge(false)}(${oneOf([to, ''])})`;
      },
      () => {
        const [local, from] = [`x${made++}`, list()];
        const which = oneOf(['all', 'any', 'none', 'single']);
        return hidden(local, () => `${which}(${local} IN ${from} WHERE ${truth()})`);
      },
    ])();
    depth--;
    return text;
  };

  const label = () =>
    oneOf([
      () => oneOf(words.labels),
      () => oneOf(words.labels),
      () => `${oneOf(words.labels)}${oneOf(['|', '&', ':'])}${oneOf(words.labels)}`,
      () => `!${oneOf(words.labels)}`,
    ])();
  const node = () => {
    const bound = known('node');
    if (bound !== null && below(3) === 0) return `(${bound})`;
    const name = maybe(() => fresh('node'));
    return `(${name}${maybe(() => `:${label()}`)}${maybe(() => ` {${oneOf(words.properties)}: ${literal()}}`, 5)})`;
  };
  const edge = (named) => {
    const form = oneOf(['-[]->', '-[]->', '<-[]-', '-[]-', '-->', '--']);
    if (!form.includes('[')) return form;
    const length = maybe(() => `*${oneOf(['', '1..2', '..2', '0..1', '2', '1..'])}`, 4);
    const name = named && length === '' ? maybe(() => fresh('relationship')) : '';
    const types = maybe(() => `:${oneOf(words.types)}${maybe(() => `|${oneOf(words.types)}`, 4)}`);
    return form.replace('[]', `[${name}${types}${length}]`);
  };
  const pattern = (hops) => {
    let text = node();
    for (let hop = 0; hop < hops; hop++) text += edge(true) + node();
    return text;
  };
  const where = () => maybe(() => `WHERE ${truth()} `);

  const match = () => {
    const patterns = [];
    for (let at = 0; at <= below(6) / 4; at++) {
      const path = below(4) === 0;
      const text = pattern(below(3));
      patterns.push(path ? `${fresh('path')} = ${text}` : text);
    }
    return `${maybe(() => 'OPTIONAL ', 4)}MATCH ${patterns.join(', ')} ${where()}`;
  };
  const unwind = () => {
    const from = oneOf(['[1, 2, 3]', 'range(0, 3)', value()]);
    return `UNWIND ${from} AS ${fresh('value')} `;
  };
  const shortest = () => {
    const [from, to] = [known('node'), known('node')];
    if (from === null) return unwind();
    const which = oneOf(['shortestPath', 'allShortestPaths']);
    return `MATCH ${fresh('path')} = ${which}((${from})-[*..3]-(${to})) `;
  };
  const subquery = () => {
    const imported = known();
    const inner = within(() => {
      scope = scope.filter(({ name }) => name === imported);
      return `${imported === null ? '' : `WITH ${imported} `}${match()}RETURN ${value()} AS`;
    });
    return `CALL { ${inner} ${fresh('value')} } `;
  };
  const item = () =>
    below(4) === 0
      ? `${oneOf(['count', 'collect', 'min', 'max', 'sum'])}(${maybe(() => 'DISTINCT ')}${value()})`
      : value();
  const tail = () =>
    maybe(() => `ORDER BY ${value()}${maybe(() => ' DESC')} `) +
    maybe(() => `SKIP ${below(3)} `, 4) +
    maybe(() => `LIMIT ${oneOf([0, 1, 5, '$limit'])} `);
  const columns = () => {
    const kept = scope.filter(() => below(3) > 0);
    const added = [];
    for (let at = 0; at <= below(2); at++) added.push(`${item()} AS v${made++}`);
    return { kept, text: [...kept.map(({ name }) => name), ...added].join(', '), added };
  };
  const goOn = () => {
    const { kept, text, added } = columns();
    const names = added.map((one) => ({ name: one.slice(one.lastIndexOf(' ') + 1), kind: 'value' }));
    const clause = `WITH ${maybe(() => 'DISTINCT ', 5)}${text} ${tail()}`;
    scope = [...kept, ...names];
    return clause + where();
  };
  const end = () =>
    `RETURN ${maybe(() => 'DISTINCT ', 5)}${scope.length > 0 && below(5) === 0 ? '*' : columns().text} ${tail()}`;

  const begin = () => {
    [scope, made, depth] = [[], 0, 0];
  };

  return {
    /** One query. */
    query() {
      begin();
      let text = '';
      for (let at = 0; at <= below(4); at++)
        text += oneOf([match, match, match, unwind, goOn, shortest, subquery])();
      return (text + end()).trim();
    },

    /** A beginning that binds some names, and a condition on them. */
    conditional() {
      begin();
      const text = oneOf([
        match,
        () => match() + unwind(),
        () => match() + goOn(),
        () => unwind() + match(),
      ])();
      const names = scope.map(({ name }) => name);
      return { text, names, condition: truth() };
    },

    /** A MATCH by itself, and the names that it binds. */
    match() {
      begin();
      const patterns = Array.from({ length: below(2) + 1 }, () => {
        const text = pattern(below(3));
        return below(3) === 0 ? `${fresh('path')} = ${text}` : text;
      });
      return { patterns, names: scope.map(({ name }) => name) };
    },
  };
}
