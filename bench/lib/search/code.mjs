// Questions about a repository's code, made from what is in it.
import { generator } from '../measure.mjs';

/**
 * Questions to `search_code`: what docstrings say, names in the words of a task, and a name with a structure filter, in
 * turn. Of the same graph always the same.
 */
export async function codeQuestions(graph, count) {
  const nodes = [];
  await graph.read(async (tx) => {
    for await (const page of tx.storedNodes('derived'))
      for (const { id, props } of page)
        if (/^(?:fn|m|cls):/.test(id)) nodes.push({ id, name: props.name, doc: props.docstring ?? '' });
  });
  nodes.sort((a, b) => (a.id < b.id ? -1 : 1));
  const documented = nodes.filter(({ doc }) => doc.length > 40);
  const random = generator(7);
  const any = (list) => list[Math.floor(random() * list.length)] ?? nodes[0];
  return Array.from({ length: count }, (_, turn) => {
    const { name } = any(nodes);
    const other = any(nodes).name;
    if (turn % 3 === 0) {
      const query = any(documented.length > 0 ? documented : nodes).doc.slice(0, 400) || name;
      return { kind: 'a text', input: { query } };
    }
    const query = `fix ${words(name)} when ${words(other)} is missing`;
    if (turn % 3 === 1) return { kind: 'a task', input: { query } };
    return {
      kind: 'inside a filter',
      input: { query, structure_filter: 'MATCH (f:Function) WHERE f.exported RETURN f LIMIT 500' },
    };
  });
}

function words(name) {
  return name.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ');
}
