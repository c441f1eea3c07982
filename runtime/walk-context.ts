import { CodewalkError, type ErrorDetails, type Layer } from '../schema/index.js';
import type { ReadContext, StepsContext } from './context.js';
import { checkDeclared } from './declared.js';
import type { Dispatch } from './dispatch.js';
import { instanceOf, walkResult } from './instance.js';
import type { GraphParts, Session } from './parts.js';
import { originIds, type PathEvaluator, PathExpression } from './path.js';
import type { Reading } from './reading.js';
import { Resources } from './resource.js';
import type { Caller, RunScope } from './run.js';
import { ALONE } from './stretches.js';
import { Walk } from './walk.js';
import type { WalkerInstance } from './walker.js';

const NOBODY: Caller = { directory: null, session: null };

/** Starts a walk of an instance inside a session. */
export function newWalk(
  instance: WalkerInstance,
  session: Session,
  scope: RunScope,
  parts: GraphParts,
  dispatch: Dispatch,
): Walk {
  return new Walk(instance, session.tx, scope, dispatch, (walk) =>
    walkContext(walk, session, parts, dispatch),
  );
}

/**
 * What abilities of one walk are given: everything binds to this walk and its session. A walker gets what its access
 * allows; the rest is there to say so. Once its run is over every method throws: what it would do has no effect.
 */
function walkContext(walk: Walk, session: Session, parts: GraphParts, dispatch: Dispatch): StepsContext {
  const { access } = walk.instance.instanceOf;
  // What declares that it only reads may only read, also inside a run that writes.
  if (access === 'read') return readContext(walk, session, parts, dispatch, READ_REFUSALS) as StepsContext;
  const refused = access === 'write' ? WRITE_REFUSALS : null;
  const context = readContext(walk, session, parts, dispatch, refused);
  Object.assign(context, writeMethods(walk, session));
  return (refused ? context : Object.assign(context, stepsMethods(walk, session, parts))) as StepsContext;
}

/** @param refused The prototype: methods that say why they are not there. */
function readContext(
  walk: Walk,
  session: Session,
  parts: GraphParts,
  dispatch: Dispatch,
  refused: object | null,
): ReadContext {
  const { tx, scope } = walk;
  const type = walk.instance.instanceOf;
  const evaluator = aheadOf(walk);
  const context: ReadContext & { __proto__: object | null } = {
    __proto__: refused,
    state: walk.instance.state,
    get here() {
      return walk.here;
    },
    get depth() {
      return walk.depth;
    },
    get reached() {
      return walk.reached;
    },
    caller: scope.options.caller ?? NOBODY,
    requestId: scope.options.requestId ?? null,
    sharing: scope.options.sharing ?? ALONE,
    projectRoot: parts.projectRoot,
    version: session.version,
    codeRevision: session.codeRevision,
    cached: (slot) => alive(walk, session).memory.of(slot),
    resource: (resource) => (alive(walk, parts).resources ?? new Resources()).of(resource),
    get signal() {
      return scope.signal;
    },
    now: () => alive(walk, parts).now(),
    elapsed: () => alive(walk, scope).elapsed,
    q: (origin) =>
      new PathExpression(alive(walk, evaluator), {
        origin: originIds(origin ?? walk.here.id),
        hops: [],
        edges: false,
        slice: null,
      }),
    visit: async (target, options) => alive(walk, walk).visit(target, options),
    report: (value) => {
      alive(walk, walk);
      checkDeclared(type, type.reportSchema, value, 'report');
      scope.report(value);
    },
    skip: () => alive(walk, walk).skip(),
    disengage: () => alive(walk, walk).disengage(),
    progress: (progress) => alive(walk, scope).progress(progress),
    spawn: async (walker, target, ...input) => {
      alive(walk, walk);
      const instance = instanceOf(walker, input[0]);
      const inner = newWalk(instance, session, scope, parts, dispatch);
      const first = scope.reports.length;
      await inner.run(target);
      return walkResult(instance, inner, scope, first) as never;
    },
    node: async (id) => alive(walk, tx).node(id),
    nodes: async (ids) => alive(walk, tx).nodes(ids),
    nodesOf: async (type, ids) => alive(walk, tx).nodesOf(type, ids),
    find: async (nodeType, where) => alive(walk, tx).find(nodeType, where),
    findIds: async (nodeType) => alive(walk, tx).findIds(nodeType),
    lookUp: (type, index, query) => alive(walk, tx).lookUp(type, index, query),
    end: async (edge, end) => alive(walk, tx).end(edge, end),
    storedNodes: (layer) => alive(walk, tx).storedNodes(layer),
    storedEdges: (layer) => alive(walk, tx).storedEdges(layer),
    entries: (ids, direction, edge) => alive(walk, tx).entries(ids, direction, edge),
    entryEdges: async (of) => alive(walk, tx).entryEdges(of),
    counts: async () => alive(walk, tx).counts(),
    blobs: async (names, layer = 'derived') => blobsOf(alive(walk, session), tx, names, layer),
    blobsUnder: (prefix, layer) => alive(walk, tx).blobsUnder(prefix, layer),
  };
  return context;
}

/** Bytes beside the graph as the run sees them: what it put and has not committed counts. */
async function blobsOf({ blobs }: Session, tx: Reading, names: readonly string[], layer: Layer) {
  const own = blobs[layer];
  const found = await tx.blobs(own.size === 0 ? names : names.filter((name) => !own.has(name)), layer);
  if (own.size === 0) return found;
  let at = 0;
  return names.map((name) => (own.has(name) ? own.get(name) : found[at++]));
}

function writeMethods(walk: Walk, session: Session): Pick<StepsContext, (typeof WRITING)[number]> {
  const { tx } = walk;
  return {
    create: async (draft) => alive(walk, tx).create(draft),
    createAll: async (drafts) => alive(walk, tx).createAll(drafts),
    putAll: async (drafts) => alive(walk, tx).putAll(drafts),
    connect: async (left, right, edge, options) => alive(walk, tx).connect(left, right, edge, options),
    connectAll: (links) => alive(walk, tx).connectAll(links),
    linkAll: async (links) => alive(walk, tx).linkAll(links),
    disconnect: async (left, right, options) => alive(walk, tx).disconnect(left, right, options),
    del: async (target) => alive(walk, tx).del(target),
    set: (ref, patch) => alive(walk, tx).set(ref, patch),
    putBlob: (name, value, layer = 'derived') => {
      alive(walk, tx).requireWritable();
      session.blobs[layer].set(name, value);
    },
    putUnit: (unit) => {
      alive(walk, tx).noteUnit(unit);
      session.blobs.units.set(unit.id, unit);
    },
  };
}

function stepsMethods(
  walk: Walk,
  session: Session,
  { transactions }: GraphParts,
): Pick<StepsContext, (typeof STEPPING)[number]> {
  return {
    pause: () => alive(walk, transactions.pace).pause(),
    commit: async (options) => alive(walk, session).commit?.(options),
    fillFrom: async (folder, change) => (await alive(walk, session).fillFrom?.(folder, change)) ?? false,
  };
}

const WRITING = [
  'create',
  'createAll',
  'putAll',
  'connect',
  'connectAll',
  'linkAll',
  'disconnect',
  'del',
  'set',
  'putBlob',
  'putUnit',
] as const;
const STEPPING = ['commit', 'fillFrom', 'pause'] as const;

const READ_REFUSALS = refusals([...WRITING, ...STEPPING], 'this run may only read the graph', {
  suggestion: "Declare access: 'write' (or 'steps') on the walker.",
});
const WRITE_REFUSALS = refusals(STEPPING, 'this run is one transaction, committed at its end', {
  suggestion: "Declare access: 'steps' on the walker.",
});

/** Hidden from whoever lists the context: these are no methods of it, they say why. */
function refusals(names: readonly string[], message: string, details: ErrorDetails): object {
  const value = () => {
    throw new CodewalkError('READ_ONLY', message, details);
  };
  return Object.defineProperties(
    {},
    Object.fromEntries(names.map((name) => [name, { value, writable: true }])),
  );
}

/** `what`, for as long as the run of this walk goes on. */
function alive<T>(walk: Walk, what: T): T {
  if (!walk.scope.ended) return what;
  const { name } = walk.instance.instanceOf;
  throw new CodewalkError(
    'WALKER_FAILED',
    `the run of '${name}' is over: its context can do nothing any more`,
    {
      suggestion: 'Await everything that the walker starts before its last ability (or finish) returns.',
    },
  );
}

/** The transaction's evaluator, with the walk's read-ahead before it. */
function aheadOf(walk: Walk): PathEvaluator {
  return {
    async evaluateNodes(path) {
      await alive(walk, walk).readAhead(path, 'nodes');
      return walk.tx.evaluateNodes(path);
    },
    async evaluateEdges(path) {
      await alive(walk, walk).readAhead(path, 'edges');
      return walk.tx.evaluateEdges(path);
    },
    async evaluateIds(path) {
      await alive(walk, walk).readAhead(path, 'ids');
      return walk.tx.evaluateIds(path);
    },
  };
}
