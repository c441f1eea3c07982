import type { Expression } from '../ast.js';

/** Where rows keep values between two projections. All rows of a frame are as wide. */
export class Frame {
  #width = 0;

  /** Slots so far; final once a plan is built. */
  get width(): number {
    return this.#width;
  }

  /** A slot that nothing else uses. */
  slot(): number {
    return this.#width++;
  }
}

/** The names that an expression may use, and where their values are. */
export class Scope {
  readonly frame: Frame;
  readonly slots: ReadonlyMap<string, number>;
  /** Labels that a node of this name surely has. */
  readonly labels: ReadonlyMap<string, readonly string[]>;

  constructor(
    frame: Frame,
    slots: ReadonlyMap<string, number> = new Map(),
    labels: ReadonlyMap<string, readonly string[]> = new Map(),
  ) {
    this.frame = frame;
    this.slots = slots;
    this.labels = labels;
  }

  slotOf(name: string): number | undefined {
    return this.slots.get(name);
  }

  /** Nothing: what is computed before is put in place as a hidden name. */
  computed(_expression: Expression): number | undefined {
    return undefined;
  }

  /** This scope and a name with a slot of its own, which hides one that is called the same. */
  local(name: string): { readonly slot: number; readonly scope: Scope } {
    const slot = this.frame.slot();
    return { slot, scope: this.with([[name, slot]]) };
  }

  /** This scope and more names. */
  with(names: Iterable<readonly [string, number]>): Scope {
    const slots = new Map(this.slots);
    const labels = new Map(this.labels);
    for (const [name, slot] of names) {
      slots.set(name, slot);
      labels.delete(name);
    }
    return new Scope(this.frame, slots, labels);
  }

  /** This scope, knowing labels of nodes. */
  knowing(labels: Iterable<readonly [string, readonly string[]]>): Scope {
    return new Scope(this.frame, this.slots, new Map([...this.labels, ...labels]));
  }

  /** Only these of its names. */
  only(names: Iterable<string>): Scope {
    const kept = new Set(names);
    const keep = <T>(map: ReadonlyMap<string, T>) => new Map([...map].filter(([name]) => kept.has(name)));
    return new Scope(this.frame, keep(this.slots), keep(this.labels));
  }

  /** Names that a query can mean, in code unit order. */
  get visible(): string[] {
    return [...this.slots.keys()].filter((name) => !isHidden(name)).sort();
  }
}

/** No query can spell a name that starts so. */
const HIDDEN = '\u0000';

/** The hidden name of a slot. */
export function hiddenName(slot: number): string {
  return `${HIDDEN}${slot}`;
}

/** Whether a plan made a name, not a query. */
export function isHidden(name: string): boolean {
  return name.startsWith(HIDDEN);
}
