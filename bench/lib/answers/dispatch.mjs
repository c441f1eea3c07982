// Which member runs where another is called, by plain loops over an export.
import { isSymbol } from './exported-graph.mjs';

const CONSTRUCTORS = ['constructor', '__init__'];

/** Whether a member makes instances of its class. */
export function isConstructor(graph, id) {
  return id.startsWith('m:') && CONSTRUCTORS.includes(graph.nodes.get(id).name);
}

/** The hierarchy of a graph's classes: each question walks it again. */
export function dispatchOf(graph) {
  const classOf = (id) =>
    graph
      .to('CONTAINS', id)
      .map(({ from }) => from)
      .find((from) => isSymbol({ id: from }));
  const own = (one, name) =>
    graph
      .from('CONTAINS', one)
      .map(({ to }) => to)
      .find((to) => graph.nodes.get(to).name === name);
  const links = (one, end) =>
    ['INHERITS', 'IMPLEMENTS'].flatMap((kind) =>
      end === 'to' ? graph.from(kind, one).map(({ to }) => to) : graph.to(kind, one).map(({ from }) => from),
    );
  const closure = (one, end) => {
    const all = new Set([one]);
    for (const each of all) for (const next of links(each, end)) all.add(next);
    return [...all];
  };
  const extended = (one) => {
    const written = (graph.nodes.get(one)?.base_classes ?? []).map(
      (base) => /[\w$]+$/u.exec(base.replace(/[<([].*/su, ''))?.[0],
    );
    const place = (base) => written.indexOf(graph.nodes.get(base)?.name);
    return graph
      .from('INHERITS', one)
      .map(({ to }) => to)
      .sort((a, b) => place(a) - place(b));
  };
  const order = (one, seen = new Set()) => {
    if (seen.has(one)) return [];
    seen.add(one);
    return [
      ...extended(one)
        .reverse()
        .flatMap((base) => order(base, seen)),
      one,
    ];
  };
  const runs = (one, name) => {
    const holder = order(one)
      .reverse()
      .find((each) => own(each, name) !== undefined);
    return holder && own(holder, name);
  };
  const of = (id, others) => {
    const holder = isSymbol({ id }) ? classOf(id) : undefined;
    if (holder === undefined) return [];
    const { name } = graph.nodes.get(id);
    const below = closure(holder, 'from');
    return [...new Set(others(below, name, holder))].filter((one) => one !== undefined && one !== id);
  };
  const overriding = (id) =>
    isConstructor(graph, id) ? [] : of(id, (below, name) => below.map((one) => runs(one, name)));
  const reaching = (id) =>
    of(id, (below, name, holder) => {
      const same = below.filter((one) => runs(one, name) === id);
      if (isConstructor(graph, id)) return same.filter((one) => one !== holder);
      return same.flatMap((one) =>
        closure(one, 'to')
          .slice(1)
          .map((base) => own(base, name)),
      );
    });
  /** Places of an edge that do not name the base whose member they call. */
  const open = ({ to, line, evidence }) => {
    const [name, owner] = /[^:]*$/u.exec(to)[0].replace(/~\d+$/u, '').split('.').reverse();
    return (evidence?.length ? evidence : [{ line, expression: '' }]).filter(
      ({ expression }) =>
        !/^super\b/u.test(expression) && !(owner && `.${expression}`.includes(`.${owner}.${name}(`)),
    );
  };
  /** Calls that reach a member through others. */
  const through = (id) =>
    reaching(id)
      .flatMap((base) => graph.to('CALLS', base))
      .map((edge) => ({ from: edge.from, to: edge.to, reaches: id, places: open(edge) }))
      .filter(({ places }) => places.length > 0);
  return { overriding, through, isOpen: (edge) => open(edge).length > 0 };
}
