import { type Condition, type Pattern, parsePattern } from './pattern.js';

/** A text that may take a regular expression long: `prefix`, then `pump` many times, then something that does not fit. */
export interface Attack {
  readonly prefix: string;
  readonly pump: string;
}

/** What a letter is to conditions; `start`: there is none. */
type Kind = 'start' | 'line' | 'word' | 'other';

/** A state reads one letter, or goes on without one; `free`: whatever stands around. */
interface State {
  readonly next: { readonly to: number; readonly when: 'free' | Condition }[];
  read?: { readonly atom: number; readonly to: number };
}

/** Which states that read come next, and by how many ways (at most 2); `done`: the match may be over, whatever follows. */
interface Follow {
  readonly states: ReadonlyMap<number, number>;
  readonly done: boolean;
}

/** Repetitions up to this are written out; more are taken for endless. */
const WRITTEN_OUT = 64;
/** Places that are looked at for one word, and all of them. */
const LONGEST_SEARCH = 400;
const MOST_SEARCHED = 60_000;
const KINDS: readonly Kind[] = ['line', 'word', 'other'];
/** Of each kind, for keys. */
const NUMBER: Readonly<Record<Kind, number>> = { start: 0, line: 1, word: 2, other: 3 };
/** Letters beside those of ASCII and of the pattern. */
const OTHERS = 'éßſ中ж😀\u00a0\u0301\u200b\u2028\ud800';

/**
 * Texts on which an expression may take more than linear time: where the automaton of its pattern reads one word
 * along two ways that can be taken again and again. A search begins anywhere: that is such a way, too.
 */
export function attacksOn(source: string, flags: string): Attack[] {
  return new Automaton(parsePattern(source, flags), source, flags).attacks();
}

class Automaton {
  readonly #states: State[] = [];
  readonly #atoms: string[] = [];
  readonly #letters: readonly string[];
  /** For each atom which letters it takes. */
  readonly #takes: readonly (readonly boolean[])[];
  readonly #start: number;
  readonly #end: number;
  readonly #follows = new Map<number, Follow>();
  readonly #steps = new Map<number, readonly (readonly [state: number, ways: number])[]>();
  readonly #nexts = new Map<number, readonly number[]>();
  readonly #searches: boolean;
  #left = MOST_SEARCHED;

  constructor(pattern: Pattern, source: string, flags: string) {
    this.#start = this.#state();
    this.#end = this.#build(pattern, this.#start, false);
    this.#searches = !flags.includes('y');
    const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
    const candidates = [...ascii, ...OTHERS, ...new Set([...source].filter((letter) => letter > '\u007f'))];
    const takes = this.#atoms.map((atom) => {
      const one = new RegExp(`^(?:${atom})$`, flags.replace(/[gydm]/gu, ''));
      return candidates.map((letter) => one.test(letter));
    });
    // Letters that nothing tells apart are one; the plainest stands for them.
    const seen = new Map<string, number>();
    const order = candidates.map((letter, at) => ({ at, rank: /[a-z0-9 ]/u.test(letter) ? 0 : 1 }));
    for (const { at } of order.sort((a, b) => a.rank - b.rank || a.at - b.at)) {
      const print = `${kindOf(candidates[at] ?? '')}${takes.map((row) => Number(row[at])).join('')}`;
      if (!seen.has(print)) seen.set(print, at);
    }
    const chosen = [...seen.values()];
    this.#letters = chosen.map((at) => candidates[at] ?? '');
    this.#takes = takes.map((row) => chosen.map((at) => row[at] ?? false));
  }

  attacks(): Attack[] {
    const loops = this.#loops();
    if ([...loops.keys()].every((state) => this.#safe(state))) return [];
    const prefixes = this.#prefixes();
    const found = new Map<string, Attack>();
    for (const [state, loop] of loops) {
      if (this.#safe(state)) continue;
      const prefix = prefixes.get(state);
      const words = this.#searches
        ? this.#words([this.#start, state], ([a, b]) => a === state && b === state, [null, loop])
        : [];
      for (const pump of words) found.set(`\0${pump}`, { prefix: '', pump });
      if (prefix === undefined) continue;
      const twice = this.#words([state, state], ([a, b]) => a === state && b === state, [loop, loop], true);
      for (const pump of twice) found.set(`${prefix}\0${pump}`, { prefix, pump });
      for (const [other, around] of loops) {
        if (loop.has(other) || this.#safe(other)) continue;
        // One way stays here, one goes from here to there, one stays there: all read the same.
        const there = ([a, b, c]: readonly number[]) => a === state && b === other && c === other;
        for (const pump of this.#words([state, state, other], there, [loop, null, around]))
          found.set(`${prefix}\0${pump}`, { prefix, pump });
      }
    }
    return [...found.values()];
  }

  #state(): number {
    this.#states.push({ next: [] });
    return this.#states.length - 1;
  }

  #go(from: number, to: number, when: 'free' | Condition = 'free'): number {
    this.#states[from]?.next.push({ to, when });
    return to;
  }

  #build(pattern: Pattern, from: number, backwards: boolean): number {
    switch (pattern.kind) {
      case 'character': {
        const to = this.#state();
        const reads = this.#states[this.#go(from, this.#state())];
        if (reads) reads.read = { atom: this.#atoms.push(pattern.source) - 1, to };
        return to;
      }
      case 'condition':
        return this.#go(from, this.#state(), pattern.condition);
      case 'look':
        // What is looked at ends nowhere: whether it fits is not known.
        this.#build(pattern.inner, this.#go(from, this.#state(), 'maybe'), pattern.behind);
        return this.#go(from, this.#state(), 'maybe');
      case 'sequence': {
        const parts = backwards ? pattern.parts.toReversed() : pattern.parts;
        return parts.reduce((at, part) => this.#build(part, at, backwards), from);
      }
      case 'choice': {
        const to = this.#state();
        for (const option of pattern.options)
          this.#go(this.#build(option, this.#go(from, this.#state()), backwards), to);
        return to;
      }
      case 'repeat':
        return this.#repeat(pattern, from, backwards);
    }
  }

  #repeat({ inner, least, most }: Pattern & { kind: 'repeat' }, from: number, backwards: boolean): number {
    let at = from;
    const endless = most > least + 3;
    const written = Math.min(least, WRITTEN_OUT) - (endless && least > 0 ? 1 : 0);
    for (let count = 0; count < written; count++) at = this.#build(inner, at, backwards);
    const out = this.#state();
    if (endless) {
      if (least === 0) this.#go(at, out);
      const again = this.#go(at, this.#state());
      const end = this.#build(inner, again, backwards);
      this.#go(this.#go(end, this.#state()), again);
      return this.#go(end, out);
    }
    for (let count = least; count < most; count++) {
      this.#go(at, out);
      at = this.#build(inner, at, backwards);
    }
    return this.#go(at, out);
  }

  /** @param before The letter before. @param after The letter behind. */
  #follow(from: number, before: Kind, after: Kind): Follow {
    const key = (from * 4 + NUMBER[before]) * 4 + NUMBER[after];
    const known = this.#follows.get(key);
    if (known) return known;
    const states = new Map<number, number>();
    const visits = new Map<number, number>();
    const path = new Set<number>();
    let done = false;
    const visit = (at: number, free: boolean) => {
      const times = visits.get(at) ?? 0;
      const state = this.#states[at];
      if (path.has(at) || times >= 3 || state === undefined) return;
      visits.set(at, times + 1);
      if (at === this.#end && free) done = true;
      if (state.read) states.set(at, Math.min(2, (states.get(at) ?? 0) + 1));
      path.add(at);
      for (const { to, when } of state.next)
        if (holds(when, before, after)) visit(to, free && when === 'free');
      path.delete(at);
    };
    visit(from, true);
    const follow = { states, done };
    this.#follows.set(key, follow);
    return follow;
  }

  /** The states that read a letter next, and by how many ways they are come to. */
  #step(state: number, before: Kind, letter: number): readonly (readonly [state: number, ways: number])[] {
    const key = (state * 4 + NUMBER[before]) * this.#letters.length + letter;
    const known = this.#steps.get(key);
    if (known) return known;
    const from = this.#states[state]?.read?.to ?? state;
    const { states } = this.#follow(from, before, kindOf(this.#letters[letter] ?? ''));
    const steps = [...states].filter(([next]) => this.#reads(next, letter));
    this.#steps.set(key, steps);
    return steps;
  }

  #reads(state: number, letter: number): boolean {
    const { atom } = this.#states[state]?.read ?? {};
    return atom !== undefined && (this.#takes[atom]?.[letter] ?? false);
  }

  /** Whether the match may be over behind a state: then it fails no more. */
  #safe(state: number): boolean {
    return this.#follow(this.#states[state]?.read?.to ?? state, 'other', 'other').done;
  }

  #next(state: number): readonly number[] {
    const known = this.#nexts.get(state);
    if (known) return known;
    const from = this.#states[state]?.read?.to ?? state;
    const all = KINDS.flatMap((before) =>
      KINDS.flatMap((after) => [...this.#follow(from, before, after).states.keys()]),
    );
    const next = [...new Set(all)];
    this.#nexts.set(state, next);
    return next;
  }

  /** States on a way back to themselves, each with all that are on such a way. */
  #loops(): Map<number, Set<number>> {
    const reading = this.#states.flatMap(({ read }, at) => (read ? [at] : []));
    const reach = new Map(reading.map((state) => [state, this.#reachable(state)]));
    const isIn = (from: number, to: number) => reach.get(from)?.has(to) ?? false;
    return new Map(
      reading
        .filter((state) => isIn(state, state))
        .map((state) => [
          state,
          new Set(reading.filter((other) => isIn(state, other) && isIn(other, state))),
        ]),
    );
  }

  #reachable(from: number): Set<number> {
    const seen = new Set<number>();
    const left = [...this.#next(from)];
    for (let at = left.pop(); at !== undefined; at = left.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      left.push(...this.#next(at));
    }
    return seen;
  }

  /** A shortest text before each state, from where a match begins. */
  #prefixes(): Map<number, string> {
    const found = new Map<number, string>();
    const seen = new Set<string>();
    let left: { state: number; before: Kind; text: string }[] = [
      { state: this.#start, before: 'start', text: '' },
    ];
    while (left.length > 0) {
      const further: typeof left = [];
      for (const { state, before, text } of left)
        for (const [letter, said] of this.#letters.entries())
          for (const [next] of this.#step(state, before, letter)) {
            if (!found.has(next)) found.set(next, text);
            const key = `${next} ${kindOf(said)}`;
            if (seen.has(key)) continue;
            seen.add(key);
            further.push({ state: next, before: kindOf(said), text: text + said });
          }
      left = further;
    }
    return found;
  }

  /** Words that all ways read together until they are `there`: one, and one of other letters, for each kind of its last letter. */
  #words(
    from: readonly number[],
    there: (states: readonly number[]) => boolean,
    within: readonly (ReadonlySet<number> | null)[],
    apart = false,
  ): string[] {
    return KINDS.flatMap((kind) => {
      const one = this.#word({ from, there, within, apart, kind, without: '' });
      if (one === null) return [];
      const other = this.#word({ from, there, within, apart, kind, without: one });
      return other === null ? [one] : [one, other];
    });
  }

  #word({ from, there, within, apart, kind, without }: Search): string | null {
    const seen = new Set<string>();
    let left = [{ states: from, before: kind, apart: !apart, word: '' }];
    while (left.length > 0 && seen.size < LONGEST_SEARCH) {
      const further: typeof left = [];
      for (const at of left)
        for (const [letter, said] of this.#letters.entries()) {
          if (without.includes(said) || this.#left-- <= 0) continue;
          for (const steps of product(at.states.map((state) => this.#step(state, at.before, letter)))) {
            const states = steps.map(([state]) => state);
            if (states.some((state, way) => within[way]?.has(state) === false)) continue;
            const isApart = at.apart || states[0] !== states[1] || steps.some(([, ways]) => ways > 1);
            const word = at.word + said;
            if (isApart && kindOf(said) === kind && there(states)) return word;
            const key = `${states} ${kindOf(said)} ${isApart}`;
            if (seen.has(key)) continue;
            seen.add(key);
            further.push({ states, before: kindOf(said), apart: isApart, word });
          }
        }
      left = further;
    }
    return null;
  }
}

/** What {@link Automaton} looks for a word by. */
interface Search {
  readonly from: readonly number[];
  readonly there: (states: readonly number[]) => boolean;
  /** Where each way has to stay; null: anywhere. */
  readonly within: readonly (ReadonlySet<number> | null)[];
  /** Whether the ways have to part. */
  readonly apart: boolean;
  /** Of the last letter. */
  readonly kind: Kind;
  /** Letters that are not taken. */
  readonly without: string;
}

function holds(when: 'free' | Condition, before: Kind, after: Kind): boolean {
  if (when === 'start') return before === 'start';
  if (when === 'line') return before === 'start' || before === 'line';
  if (when === 'end') return false;
  if (when === 'boundary') return (before === 'word') !== (after === 'word');
  if (when === 'inside') return (before === 'word') === (after === 'word');
  return true;
}

function kindOf(letter: string): Kind {
  if (letter === '') return 'start';
  return letter === '\n' ? 'line' : /\w/u.test(letter) ? 'word' : 'other';
}

function product<T>(lists: readonly (readonly T[])[]): T[][] {
  if (lists.some((list) => list.length === 0)) return [];
  return lists.reduce<T[][]>((all, list) => all.flatMap((one) => list.map((item) => [...one, item])), [[]]);
}
