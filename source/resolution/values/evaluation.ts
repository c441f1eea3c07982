import type { FlowFact, ValueFact } from '../../flow-facts.js';
import type { Place } from '../module-table.js';
import type { Program } from '../program.js';
import { callOf } from './calls.js';
import { itemOf, slice } from './items.js';
import { membersOf } from './members.js';
import { namedValues } from './names.js';
import {
  type Activation,
  eachOf,
  type Given,
  NOTHING,
  oneOf,
  only,
  type Scene,
  UNKNOWN,
  type Value,
  type Values,
} from './value.js';

/** Expressions worked out for one question, and how many lie inside each other: beyond that nothing is said. */
const MOST_STEPS = 2_000;
const DEEPEST = 60;

/** Steps that may still be taken. */
export interface StepBudget {
  steps: number;
}

/** A call and where it stands, as the function that is called sees it. */
export interface Caller {
  readonly given: Given;
  /** Whether the first parameter is filled by what it is called on, or by what is constructed. */
  readonly isBound: boolean;
}

/** The known callers of the functions of one file, by definition. */
export type Callers = ReadonlyMap<number, readonly Caller[]>;

/**
 * Works out what values are, for one file, whose questions must come in one order: what was found on the way is kept.
 * What goes in circles or too far gives nothing, and of that nothing is kept but at the end of the circle.
 */
export class Evaluation {
  /** What is being worked out: a value that rests on itself adds nothing to itself. */
  readonly #open = new Set<unknown>();
  readonly #kept = new Map<unknown, Values>();
  #steps = 0;
  #depth = 0;
  /** How often something was cut short. */
  #cuts = 0;

  /**
   * @param home The file that is resolved; only its calls say what parameters get, and only to its own functions.
   * @param budget What is left of the steps that all questions of the file may take together.
   */
  constructor(
    readonly program: Program,
    readonly home: string,
    readonly callers: Callers,
    readonly budget: StepBudget,
  ) {}

  /** What an expression stands for where it stands, as a new question; null when that goes too far. */
  ask(fact: ValueFact, scene: Scene): Values | null {
    this.#steps = 0;
    if (this.budget.steps <= 0) return null;
    const found = this.values(fact, scene);
    this.budget.steps -= this.#steps;
    return this.#steps > MOST_STEPS ? null : found;
  }

  /** What an expression stands for where it stands. */
  values(fact: ValueFact | null, scene: Scene): Values {
    this.#steps += 1;
    if (fact === null) return UNKNOWN;
    if (this.#steps > MOST_STEPS || this.#depth > DEEPEST) {
      this.#cuts += 1;
      return UNKNOWN;
    }
    this.#depth += 1;
    const found = this.#read(fact, scene);
    this.#depth -= 1;
    return found;
  }

  /** Does some work unless it is being done already. */
  once(what: unknown, work: () => Values): Values {
    if (this.#open.has(what)) {
      this.#cuts += 1;
      return NOTHING;
    }
    this.#open.add(what);
    const found = work();
    this.#open.delete(what);
    return found;
  }

  /** What was found before under a key that names the whole question, or is found now. Only what is whole is kept. */
  kept(key: unknown, work: () => Values): Values {
    const known = this.#kept.get(key);
    if (known) return known;
    const cuts = this.#cuts;
    const found = work();
    if (cuts === this.#cuts) this.#kept.set(key, found);
    return found;
  }

  /** What a flow hands on. */
  flowing(flow: FlowFact, file: string, activation: Activation | null): Values {
    const place: Place = { line: flow.line, column: flow.column };
    const site = { file, from: flow.from, place, local: false };
    const work = () => this.once(flow, () => this.values(flow.value, { site, activation }));
    return activation ? work() : this.kept(flow, work);
  }

  #read(fact: ValueFact, scene: Scene): Values {
    if (typeof fact === 'string') return this.#path(fact, scene);
    if ('member' in fact)
      return eachOf(this.values(fact.of, scene), (value) => membersOf(this, value, fact.member));
    if ('key' in fact) {
      const key = fact.key === null ? null : this.values(fact.key, scene);
      return eachOf(this.values(fact.of, scene), (value) => itemOf(this, value, key));
    }
    if ('from' in fact)
      return eachOf(this.values(fact.of, scene), (value) => slice(value, fact.from, fact.to));
    if ('call' in fact) {
      const { passed = [], named = {} } = fact;
      return callOf(this, this.values(fact.call, scene), { arguments: { passed, named }, scene });
    }
    if ('await' in fact)
      return eachOf(this.values(fact.await, scene), (value) =>
        value.kind === 'awaitable' ? value.result : value.kind === 'instance' ? only(value) : UNKNOWN,
      );
    if ('list' in fact)
      return only({ kind: 'list', items: fact.list.map((one) => this.values(one, scene)), more: NOTHING });
    if ('dict' in fact) return only(this.#dict(fact.dict, scene));
    if ('either' in fact)
      return fact.either.length === 0 ? UNKNOWN : oneOf(fact.either.map((one) => this.values(one, scene)));
    if ('definition' in fact) {
      const { file } = scene.site;
      const { definition } = fact;
      return only({ kind: 'function', file, definition, self: null, around: scene.activation });
    }
    // Written types are asked for in TypeScript alone, which has its own way of following values.
    return 'literal' in fact ? only({ kind: 'literal', literal: fact.literal }) : UNKNOWN;
  }

  #path(path: string, scene: Scene): Values {
    const [first = '', ...rest] = path.split('.');
    let values = namedValues(this, first, scene);
    for (const name of rest) values = eachOf(values, (value) => membersOf(this, value, name));
    return values;
  }

  #dict(pairs: readonly (readonly [ValueFact | null, ValueFact | null])[], scene: Scene): Value {
    const entries = pairs.map(([key, value]) => {
      const [known, ...others] = key === null ? [] : this.values(key, scene).all;
      const literal = known?.kind === 'literal' && others.length === 0 ? known.literal : null;
      return { key: literal, values: this.values(value, scene), isSure: true };
    });
    return { kind: 'dict', entries };
  }
}
