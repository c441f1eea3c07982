// Questions in Cypher, and the same asked by hand: a walker that reads no more than it must.

/** @param names Qualified names of functions that are called. */
export function questions(codewalk, names) {
  const { ComponentSymbol, FunctionSymbol, SymbolCallsSymbol, defineWalker } = codewalk;
  /** What has the label `Function`. */
  const functions = [FunctionSymbol, ComponentSymbol];
  const byHand = (name, ask) =>
    defineWalker(name, {
      access: 'read',
      input: { name: codewalk.z.string().default('') },
      start: () => null,
      on: () => [],
      finish: async ({ state, context }) => ask(context, state),
    });
  const found = async ({ find }, name) =>
    (await Promise.all(functions.map((type) => find(type, { qualified_name: name })))).flat();
  const called = names.map((name) => ({ name }));
  const whole = [{}];
  return [
    {
      what: 'point look-up',
      inputs: called,
      cypher: 'MATCH (f:Function {qualified_name: $name}) RETURN f.id, f.name',
      byHand: byHand('by_hand_point', async (context, { name }) =>
        (await found(context, name)).map((node) => [node.id, node.name]),
      ),
    },
    {
      what: 'callers, two hops',
      inputs: called,
      cypher: 'MATCH (f:Function {qualified_name: $name})<-[:CALLS]-()<-[:CALLS]-(c) RETURN DISTINCT c.id',
      byHand: byHand('by_hand_callers', async (context, { name }) => {
        const starts = await found(context, name);
        const ids = new Set();
        for (const start of starts) {
          const near = await context.entries([start.id], 'in', SymbolCallsSymbol);
          const far = await context.entries(
            near.flat().map(({ far: id }) => id),
            'in',
            SymbolCallsSymbol,
          );
          near.flat().forEach((first, at) => {
            for (const second of far[at]) if (!isSame(first, start.id, second)) ids.add(second.far);
          });
        }
        return [...ids].map((id) => [id]);
      }),
    },
    {
      what: 'label scan with a filter',
      inputs: whole,
      cypher: "MATCH (f:Function) WHERE f.name STARTS WITH 'create' RETURN f.id",
      byHand: byHand('by_hand_scan', async (context) =>
        (await context.nodes((await Promise.all(functions.map((type) => context.findIds(type)))).flat()))
          .filter((node) => node.name.startsWith('create'))
          .map(({ id }) => [id]),
      ),
    },
    {
      what: 'aggregation over all calls',
      inputs: whole,
      cypher: 'MATCH ()-[:CALLS]->(f) RETURN f.id, count(*) AS calls',
      byHand: byHand('by_hand_aggregation', async (context) => {
        const calls = new Map();
        const starts = [...new Set((await idsOfAll(codewalk, context)).flat())];
        for (const list of await context.entries(starts, 'out', SymbolCallsSymbol)) {
          for (const { far } of list) calls.set(far, (calls.get(far) ?? 0) + 1);
        }
        return [...calls];
      }),
    },
    {
      what: 'variable length, 1 to 4',
      inputs: called,
      cypher: 'MATCH (f:Function {qualified_name: $name})-[:CALLS*1..4]->(c) RETURN DISTINCT c.id',
      byHand: byHand('by_hand_reach', async (context, { name }) => {
        const reached = new Set();
        for (const { id: start } of await found(context, name)) {
          const known = new Set([start]);
          let level = [start];
          for (let hops = 0; hops < 4 && level.length > 0; hops += 1) {
            const next = [];
            for (const list of await context.entries(level, 'out', SymbolCallsSymbol)) {
              for (const { far } of list) {
                if (far === start) reached.add(far);
                if (known.has(far)) continue;
                known.add(far);
                reached.add(far);
                next.push(far);
              }
            }
            level = next;
          }
        }
        return [...reached].map((id) => [id]);
      }),
    },
  ];
}

/** Whether two hops are over one call: only a function that calls itself has such. */
function isSame(first, start, second) {
  return first.far === start && second.far === start && first.seq === second.seq;
}

/** What may call: all symbols, and files by what stands outside of them. */
function idsOfAll({ CodeSymbol, File }, context) {
  return Promise.all([CodeSymbol, File].map((archetype) => context.findIds(archetype)));
}
