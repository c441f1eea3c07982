import type { Span } from './facts.js';

/**
 * Where values go inside one file: what assignments, defaults, returns and arguments hand on, as far as it can be
 * followed without running anything. Extraction says what is written; which functions and instances that are is for
 * resolution to find out. Kept small: what cannot be followed (numbers, operators) is null or left out.
 */

/**
 * An expression whose value can be followed. A text is a name or a dotted path of names, `self.db.send`, looked up
 * where it stands. Extraction promises of a path that its first name, when it is bound by a function, has a parameter
 * or a {@link FlowFact} there; a name that has neither gives null.
 */
export type ValueFact =
  | string
  /** A member of what is no path: `make().run`. */
  | { of: ValueFact; member: string }
  /** An item: `handlers['a']`, `pair[0]`; key null for all of them, as a loop takes them, `{either: []}` for an unknown key. */
  | { of: ValueFact; key: ValueFact | null }
  /** Items from an index on, up to but not with another: `xs[1:]`. */
  | { of: ValueFact; from: number; to: number | null }
  /** What a call gives. `new Foo()` is a call of the class. `types`: the type arguments as written, `string, Foo`. */
  | ({ call: ValueFact; types?: string } & Partial<Arguments>)
  /** What the call gives that another reference of the file is, by its index: in {@link Reference.on} alone. */
  | { result: number }
  /** A module that is loaded by its specifier where the value is asked for: `require('m')`, `await import('m')`. */
  | { module: string }
  /** A value of a written type: `x as Foo`. */
  | { typed: string }
  /** What a called function expects as an argument: the type that a callback there takes its parameters' types from. */
  | { expected: ValueFact; argument: number }
  /** What a function of this type is handed as its parameter. */
  | { of: ValueFact; parameter: number }
  | { await: ValueFact }
  | { list: readonly (ValueFact | null)[] }
  /** Keys and values of a dictionary or object literal. */
  | { dict: readonly (readonly [ValueFact | null, ValueFact | null])[] }
  /** One of several: `a if x else b`, `a or b`; of none when nothing is known of it. */
  | { either: readonly (ValueFact | null)[] }
  /** A function or class of this file that stands here without a look-up: its index. */
  | { definition: number }
  /** Null is what cannot be called and has no members: `None`, `undefined`. */
  | { literal: string | number | null };

/** What a call hands over, as far as it can be followed. */
export interface Arguments {
  /** By position, up to the first spread; null for what cannot be followed, none at the end. */
  passed: readonly (ValueFact | null)[];
  /** By name: `f(key=value)`. */
  named?: Readonly<Record<string, ValueFact>>;
}

/** One way of a value: into a variable, a parameter without an argument, or out of a function. */
export interface FlowFact {
  /**
   * Absent for an assignment. `default`: the value of a parameter that no argument is given for; `return`, `yield`:
   * out of the function `from`, the target is ''.
   */
  kind?: 'default' | 'return' | 'yield' | undefined;
  /** A name or a dotted path from one: `handler`, `self.handler`; in a class body a plain name. */
  target: string;
  /** An item of the target: `d['a']['b'] = v` has two keys; null for one that is not known, as `xs.append(v)` fills. */
  keys?: readonly (ValueFact | null)[] | undefined;
  /** Null: something that cannot be followed, which hides what the target held before. */
  value: ValueFact | null;
  /** The innermost enclosing definition; null at module level. */
  from: number | null;
  /** The definition whose variable the target's first name is, where that is not `from` (`global x`, `d[k] = v`); null for the module's. */
  scope?: number | null | undefined;
  /** As {@link Definition.block}: where the target can be seen, when that is less than all of its scope. */
  block?: Span | undefined;
  /** Whether it is no assignment: a condition tells what the target is, whatever its written type says. */
  narrows?: true | undefined;
  /** First and last line of the innermost branch, loop or `try` that the statement stands in: it may not be run. */
  branch?: readonly [number, number] | undefined;
  /** First and last line of the outermost loop: what is assigned below a use may still reach it. */
  loop?: readonly [number, number] | undefined;
  /** Where it has happened: the end of the value. What the value itself holds stands before. */
  line: number;
  column: number;
}
