import type { StepsContext } from './context.js';
import { checkDeclared } from './declared.js';
import type { Dispatch } from './dispatch.js';
import { instanceOf, walkResult } from './instance.js';
import type { GraphParts, Session } from './parts.js';
import { originIds, type PathEvaluator, PathExpression } from './path.js';
import type { RunScope } from './run.js';
import { Transaction } from './transaction.js';
import { Walk } from './walk.js';
import type { WalkerInstance } from './walker.js';

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

/** What abilities of one walk are given: everything binds to this walk and its session. */
function walkContext(walk: Walk, session: Session, parts: GraphParts, dispatch: Dispatch): StepsContext {
  const { tx } = session;
  // What declares that it only reads may only read, also inside a run that writes.
  const type = walk.instance.instanceOf;
  const reading = type.access === 'read';
  const writer = reading ? new Transaction(tx.view, parts.catalog, parts.ids, false) : tx;
  const { scope } = walk;
  const evaluator = aheadOf(walk);
  return {
    state: walk.instance.state,
    get here() {
      return walk.here;
    },
    projectRoot: parts.projectRoot,
    get signal() {
      return scope.signal;
    },
    now: parts.now,
    q: (origin) =>
      new PathExpression(evaluator, {
        origin: originIds(origin ?? walk.here.id),
        hops: [],
        edges: false,
        slice: null,
      }),
    visit: (target, options) => walk.visit(target, options),
    report: (value) => {
      checkDeclared(type, type.reportSchema, value, 'report');
      scope.report(value);
    },
    skip: () => walk.skip(),
    disengage: () => walk.disengage(),
    progress: (progress) => scope.options.onProgress?.(progress),
    spawn: async (walker, target, ...input) => {
      const instance = instanceOf(walker, input[0]);
      const inner = newWalk(instance, session, scope, parts, dispatch);
      const first = scope.reports.length;
      await inner.run(target);
      return walkResult(instance, inner, scope, first) as never;
    },
    node: (id) => tx.node(id),
    nodes: (ids) => tx.nodes(ids),
    find: (type, where) => tx.find(type, where),
    findIds: (type) => tx.findIds(type),
    end: (edge, end) => tx.end(edge, end),
    storedNodes: (layer) => tx.storedNodes(layer),
    storedEdges: (layer) => tx.storedEdges(layer),
    blobs: (names) => tx.blobs(names),
    create: (draft) => writer.create(draft),
    createAll: (drafts) => writer.createAll(drafts),
    connect: (left, right, edge, options) => writer.connect(left, right, edge, options),
    connectAll: (links) => writer.connectAll(links),
    disconnect: (left, right, options) => writer.disconnect(left, right, options),
    del: (target) => writer.del(target),
    set: (ref, patch) => writer.set(ref, patch),
    commit: async () => session.commit?.(),
    putBlob: (name, value) => void session.blobs.set(name, value),
  };
}

/** The transaction's evaluator, with the walk's read-ahead before it. */
function aheadOf(walk: Walk): PathEvaluator {
  return {
    async evaluateNodes(path) {
      await walk.readAhead(path, 'nodes');
      return walk.tx.evaluateNodes(path);
    },
    async evaluateEdges(path) {
      await walk.readAhead(path, 'edges');
      return walk.tx.evaluateEdges(path);
    },
    async evaluateIds(path) {
      await walk.readAhead(path, 'ids');
      return walk.tx.evaluateIds(path);
    },
  };
}
