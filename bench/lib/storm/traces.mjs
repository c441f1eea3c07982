// What a graphs home has of a root's events, and whether two homes have the same.

/**
 * The events that a home kept, by their ids, and its export of the durable layer. Opens the store: no daemon may run.
 *
 * @param library the built library
 * @returns {Promise<{events: Map<string, string>, lines: string[]}>}
 */
export async function tracesOf({ openGraph }, root, home) {
  const graph = await openGraph(root, { home });
  try {
    const { reports } = await graph.spawn('graph_export', null, { layer: 'durable' });
    const events = await graph.read(async (tx) => {
      const kept = new Map();
      for await (const page of tx.storedNodes('durable'))
        for (const { id, type, props } of page)
          if (type === 'TraceEvent') kept.set(id, `${props.kind} ${props.at} ${JSON.stringify(props.fact)}`);
      return kept;
    });
    return { events, lines: reports.map((line) => JSON.stringify(line)) };
  } finally {
    await graph.close();
  }
}

/**
 * Records events one after the other, each once, in a home of their own: what any other way has to come to.
 *
 * @param library the built library
 */
export async function replay({ openGraph }, root, home, events) {
  const graph = await openGraph(root, { home });
  try {
    for (const event of events) await graph.spawn('etg_log_event', null, event);
  } finally {
    await graph.close();
  }
}

/**
 * What one home has of the events that another has.
 *
 * @param is as {@link tracesOf} gives it
 * @param ought the same, of a home that has them all once
 * @returns events that are missing, events that are there besides, and lines of the export that differ
 */
export function compared(is, ought) {
  const [has, wants] = [new Set(is.lines), new Set(ought.lines)];
  return {
    lost: [...ought.events].filter(([id]) => !is.events.has(id)).map(([, told]) => told),
    doubled: [...is.events].filter(([id]) => !ought.events.has(id)).map(([, told]) => told),
    missing: ought.lines.filter((line) => !has.has(line)),
    besides: is.lines.filter((line) => !wants.has(line)),
    equal: is.lines.join('\n') === ought.lines.join('\n'),
  };
}
