import { CodewalkError } from '../schema/index.js';
import type { SpawnTarget, StepsContext, VisitOptions, VisitTarget } from './context.js';
import type { Dispatch, Slot } from './dispatch.js';
import { locationsOf } from './locations.js';
import { EdgeExpression, type PathData, PathExpression } from './path.js';
import { type Hop, Reached } from './reached.js';
import { ReadAhead, type ReadKind, type Waiting } from './read-ahead.js';
import { isEdgeRef, type Location, type NodeRef } from './refs.js';
import type { RunScope } from './run.js';
import type { Transaction } from './transaction.js';
import type { Ability, AbilityEvent, WalkerInstance } from './walker.js';

/** Thrown by `skip` and `disengage` to leave the ability; never seen outside the engine. */
const LEAVE = Symbol('leave the ability');

/** A location that waits for the walk, and how deep it is. */
interface Queued {
  readonly location: Location;
  readonly depth: number;
}

/** Makes the context that abilities of a walk get. */
export type ContextMaker = (walk: Walk) => StepsContext;

/**
 * One walk: the traversal of object-spatial.md section 6 with deferred exits. The queue decides the order of
 * entries; a location's exits wait on a stack until the queue is empty. It is a loop, never a recursion.
 */
export class Walk {
  readonly instance: WalkerInstance;
  readonly tx: Transaction;
  readonly scope: RunScope;
  readonly path: Location[] = [];
  disengaged = false;
  /** How deep the running ability is. */
  depth = 0;
  reached = new Reached([]);
  readonly #dispatch: Dispatch;
  readonly #context: StepsContext;
  readonly #frontierAbilities: readonly Ability[];
  #queue: Queued[] = [];
  #head = 0;
  readonly #pendingExits: Queued[] = [];
  #here: Location | undefined;
  #ability: Ability | null = null;
  readonly #ahead = new ReadAhead();

  constructor(
    instance: WalkerInstance,
    tx: Transaction,
    scope: RunScope,
    dispatch: Dispatch,
    context: ContextMaker,
  ) {
    this.instance = instance;
    this.tx = tx;
    this.scope = scope;
    this.#dispatch = dispatch;
    this.#context = context(this);
    this.#frontierAbilities = instance.instanceOf.abilities.filter(({ event }) => event === 'frontier');
  }

  get context(): StepsContext {
    return this.#context;
  }

  get here(): Location {
    if (this.#here) return this.#here;
    throw new CodewalkError('INTERNAL', 'a walk that has not begun is nowhere');
  }

  /**
   * Walks from the targets until the queue and the pending exits are empty, the walker disengages, or a limit
   * of the run is hit.
   *
   * @throws CodewalkError `INVALID_INPUT` when there is no target; whatever an ability throws.
   */
  async run(target: SpawnTarget): Promise<void> {
    if (this.#frontierAbilities.length > 0) return this.#runFrontiers(target);
    this.#queue = (await this.#expand(target)).map((location) => ({ location, depth: 0 }));
    this.reached = new Reached(this.#queue.map(({ location }) => location.id));
    const first = this.#queue[0]?.location;
    if (!first)
      throw new CodewalkError(
        'INVALID_INPUT',
        `${this.instance.instanceOf.name} was spawned on an empty list`,
        {
          suggestion: 'Spawn it on a node, an edge, or a list with at least one of them.',
        },
      );
    this.#here = first;
    await this.#runUntyped('entry');
    while (!this.disengaged) {
      const next = this.#queue[this.#head];
      if (next) {
        if (!this.scope.arrive()) return;
        this.#head++;
        this.#trim();
        await this.#enter(next);
        continue;
      }
      const leaving = this.#pendingExits.pop();
      if (!leaving) break;
      if (this.scope.truncated) return;
      await this.#runSlots(leaving, 'exit');
    }
    if (this.disengaged) return;
    this.#here = this.path.at(-1) ?? first;
    await this.#runUntyped('exit');
  }

  /** See `ReadContext.visit`. */
  async visit(target: VisitTarget, options: VisitOptions = {}): Promise<boolean> {
    const { maxDepth = Number.POSITIVE_INFINITY, once = false } = options;
    if (this.#frontierAbilities.length > 0) return this.#visitHops(target, maxDepth);
    const locations = await this.#locations(target);
    const depth = this.depth + 1;
    if (this.disengaged || depth > maxDepth) return false;
    const from = this.here.id;
    const added: Queued[] = [];
    for (const location of locations) {
      if (once && this.reached.has(location.id)) continue;
      this.reached.add({ from, to: location.id }, depth);
      added.push({ location, depth });
    }
    if (added.length === 0) return false;
    const waiting = this.#queue.length - this.#head;
    const at = insertionPoint(options.at, waiting);
    if (at === waiting) for (const queued of added) this.#queue.push(queued);
    else this.#queue.splice(this.#head + at, 0, ...added);
    return true;
  }

  /** See `ReadContext.skip`. */
  skip(): never {
    throw LEAVE;
  }

  /** See `ReadContext.disengage`. */
  disengage(): never {
    this.disengaged = true;
    throw LEAVE;
  }

  /**
   * Before a path that starts here is evaluated: the same path for every queued location that will run the
   * same ability is read with it, in the same round trips (object-spatial.md section 13).
   */
  async readAhead(path: PathData, kind: ReadKind): Promise<void> {
    const { origin } = path;
    const here = this.#here;
    if (!here || isEdgeRef(here) || origin.length !== 1 || origin[0] !== here.id || !this.#ability) return;
    if (this.#head === this.#queue.length || path.hops.length === 0) return;
    const waiting = (at: number): Waiting | undefined => {
      const location = this.#queue[this.#head + at]?.location;
      if (!location) return undefined;
      return !isEdgeRef(location) && this.#runsHere(location) ? location : null;
    };
    const siblings = this.#ahead.with(here.id, path, kind, waiting, this.tx.view.epoch);
    if (siblings.length > 0) await this.tx.readAhead(path, siblings, kind);
  }

  #runsHere(location: Location): boolean {
    const slots = this.#dispatch.at(this.instance.instanceOf, location).entry;
    return slots.some((slot) => 'ability' in slot && slot.ability === this.#ability);
  }

  /** A walk from frontier to frontier: see `AbilityBuilder.frontier`. */
  async #runFrontiers(target: SpawnTarget): Promise<void> {
    const given = Array.isArray(target) ? target : [target];
    this.reached = new Reached(given.map((item) => (typeof item === 'string' ? item : item.id)));
    let frontier = this.reached.starts;
    while (frontier.length > 0 || this.reached.isWaiting) {
      if (!this.scope.arrive(frontier.length)) return;
      for (const ability of frontier.length > 0 ? this.#frontierAbilities : []) {
        const result = this.#attempt({ ability }, frontier as never);
        if (result instanceof Promise) await result;
        if (this.disengaged) return;
      }
      frontier = this.reached.frontier(this.depth);
      if (frontier.length === 0) frontier = this.reached.frontier(++this.depth);
    }
  }

  #visitHops(target: VisitTarget, maxDepth: number): boolean {
    let added = false;
    for (const hop of target as readonly Hop[]) {
      const depth = this.depth + (hop.cost ?? 1);
      if (depth > maxDepth || this.reached.distance(hop.to) !== undefined) continue;
      this.reached.queue(hop, depth);
      added = true;
    }
    return added;
  }

  async #enter(queued: Queued): Promise<void> {
    this.path.push(queued.location);
    this.#pendingExits.push(queued);
    await this.#runSlots(queued, 'entry');
  }

  async #runSlots({ location, depth }: Queued, event: AbilityEvent): Promise<void> {
    for (const slot of this.#dispatch.at(this.instance.instanceOf, location)[event]) {
      this.#here = location;
      this.depth = depth;
      const result = this.#attempt(slot, location);
      if (result instanceof Promise) await result;
      if (this.disengaged) return;
    }
  }

  async #runUntyped(event: 'entry' | 'exit'): Promise<void> {
    for (const ability of this.instance.instanceOf.abilities) {
      if (ability.triggers !== null || ability.event !== event) continue;
      const result = this.#attempt({ ability }, this.here);
      if (result instanceof Promise) await result;
      if (this.disengaged) return;
    }
  }

  /** Runs one slot; without a promise of its own it costs none. */
  #attempt(slot: Slot, here: Location): Promise<unknown> | undefined {
    this.#ability = 'ability' in slot ? slot.ability : null;
    this.scope.options.onAbility?.();
    try {
      const result =
        'ability' in slot
          ? slot.ability.run(here, this.#context)
          : slot.arrival.run(here, this.instance, this.#context);
      return isThenable(result) ? Promise.resolve(result).catch(leave) : undefined;
    } catch (thrown) {
      leave(thrown);
      return undefined;
    }
  }

  async #locations(target: VisitTarget): Promise<readonly Location[]> {
    if (target instanceof EdgeExpression) {
      await this.readAhead(target.data, 'pairs');
      const pairs = await this.tx.evaluatePairs(target.data);
      const seen = new Set<NodeRef>();
      return pairs.flatMap(({ edge, far }) => {
        if (seen.has(far)) return [edge];
        seen.add(far);
        return [edge, far];
      });
    }
    if (target instanceof PathExpression) {
      await this.readAhead(target.data, 'nodes');
      return this.tx.evaluateNodes(target.data);
    }
    return locationsOf(target, 'visit');
  }

  async #expand(target: SpawnTarget): Promise<Location[]> {
    const queue: Location[] = [];
    const given = locationsOf(target, `spawn ${this.instance.instanceOf.name} on`);
    for (const location of await this.tx.live(given)) {
      queue.push(location);
      const end = isEdgeRef(location) ? await this.tx.end(location, 'to') : undefined;
      if (end) queue.push(end);
    }
    return queue;
  }

  /** Gives back the memory of what was visited, now and then. */
  #trim(): void {
    if (this.#head < 1024 || this.#head * 2 < this.#queue.length) return;
    this.#queue = this.#queue.slice(this.#head);
    this.#head = 0;
  }
}

function leave(thrown: unknown): void {
  if (thrown !== LEAVE) throw thrown;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** Where a block goes among `waiting` queued locations (object-spatial.md section 6, rule 3). */
function insertionPoint(at: number | undefined, waiting: number): number {
  if (at === undefined) return waiting;
  const index = at < 0 ? waiting + at + 1 : at;
  return Math.max(0, Math.min(waiting, index));
}
