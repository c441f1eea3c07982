import { isConstructorId } from '../../graphs/code/index.js';
import type { ReadContext } from '../../runtime/index.js';
import { append, CodeSymbol, ownNameIn, parseId, SymbolContainsSymbol } from '../../schema/index.js';
import { languageOf } from '../../source/index.js';
import { type CallRef, callsInto, stepsAt } from './calls.js';
import { type InheritanceLink, lineageOf } from './inheritance.js';
import { closure } from './targets.js';

/*
 * Which members may run where another one is called: those of derived classes that override it, and those that
 * implement a member of an interface, inherited ones included.
 */

type Look = Pick<ReadContext, 'entries' | 'nodesOf' | 'spawn'>;

/** Links of inheritance that one question reads, the nearest first: only the base class of a framework has more. */
const MOST_LINKS = 5000;
/** Steps of inheritance from each class: what is further away is left out, however many classes are asked about. */
const MOST_STEPS = 50;

/** By the id of a member: the ids of others. Members without any are left out. */
export type Members = ReadonlyMap<string, readonly string[]>;
type Rule = (classes: Classes, member: string, name: string) => readonly (string | undefined)[];

const OVERRIDING: Rule = (classes, member, name) =>
  classes.replacing(member).map((one) => classes.memberOf(one, name));
const OVERRIDDEN: Rule = (classes, member, name) =>
  classes
    .below(member)
    .filter((one) => classes.memberOf(one, name) === member)
    .flatMap((one) => classes.above(one).map((base) => classes.ownMember(base, name)));
/** The derived classes that are made by a constructor because they write none of their own. */
const INHERITING: Rule = (classes, member, name) =>
  classes
    .below(member)
    .filter((one) => one !== classes.classOf(member) && classes.memberOf(one, name) === member);

/** The members that a call of each member may run in its place, nearest first. Constructors have none. */
export function overridingMembers(context: Look, ids: readonly string[]): Promise<Members> {
  return related(context, ids, (id) => (isConstructorId(id) ? null : OVERRIDING));
}

/**
 * The members whose calls may run each member: those of base classes and interfaces that it overrides or implements,
 * also where a derived class inherits it and implements the interface. Constructors have none.
 */
export function overriddenMembers(context: Look, ids: readonly string[]): Promise<Members> {
  return related(context, ids, (id) => (isConstructorId(id) ? null : OVERRIDDEN));
}

/** A call that reaches a member through another one. */
export interface CallThrough extends CallRef {
  /** The id of what the call names: the base's or interface's member, or the class that inherits a constructor. */
  readonly to: string;
  /** The id of the member that it reaches. */
  readonly reaches: string;
}

/**
 * The calls that reach members through an overridden member of a base class, an implemented one of an interface, or,
 * of a constructor, through a derived class that inherits it. A call that names the base itself (`super.run()`,
 * `Base.run(self)`) runs the base's member alone and is left out.
 */
export async function callsThrough(
  context: Look & Pick<ReadContext, 'entryEdges'>,
  ids: readonly string[],
): Promise<CallThrough[]> {
  const constructorsLast = ids.toSorted((a, b) => Number(isConstructorId(a)) - Number(isConstructorId(b)));
  const others = await related(context, constructorsLast, (id) =>
    isConstructorId(id) ? INHERITING : OVERRIDDEN,
  );
  const reached = new Map<string, string[]>();
  for (const [member, bases] of others) for (const base of bases) append(reached, base, member);
  const calls = await callsInto(context, [...reached.keys()]);
  return calls.flatMap((call) => {
    const evidence = call.evidence.filter(({ expression }) => !namesBase(expression, call.to));
    const [first] = evidence;
    if (call.evidence.length > 0 && !first) return [];
    const line = first?.line ?? call.line;
    return (reached.get(call.to) ?? []).map((reaches) => ({ ...call, line, evidence, reaches }));
  });
}

/** Whether a call names the class whose member it runs, so that no other member runs in its place. */
export function namesBase(expression: string, member: string): boolean {
  if (/^super\b/u.test(expression)) return true;
  const [name, owner] = (parseId(member)?.name ?? '').split('.').reverse();
  return owner !== undefined && `.${expression}`.includes(`.${owner}.${name}(`);
}

async function related(
  context: Look,
  all: readonly string[],
  ruleOf: (id: string) => Rule | null,
): Promise<Members> {
  const found = new Map<string, string[]>();
  const ids = all.filter((id) => ruleOf(id) !== null);
  const classes = await Classes.around(context, ids);
  if (classes === null) return found;
  // Overloads of a member are the member itself: an id without the number of the declaration.
  const symbolOf = (id: string) => id.replace(/~\d+$/u, '');
  for (const id of ids) {
    const others = new Set(ruleOf(id)?.(classes, id, memberName(id)));
    others.delete(undefined);
    const rest = [...others].filter((one): one is string => symbolOf(one ?? '') !== symbolOf(id));
    if (rest.length > 0) found.set(id, rest);
  }
  return found;
}

/** What a member is looked up by: constructors may have the names of their classes. */
function memberName(id: string): string {
  return isConstructorId(id) ? 'constructor' : ownNameIn(id);
}

/** Classes with their bases, derived classes and members. */
class Classes {
  readonly #bases = new Map<string, string[]>();
  readonly #extended = new Map<string, string[]>();
  readonly #derived = new Map<string, string[]>();
  /** The derived classes whose members run in the place of a base's: not those that only embed it. */
  readonly #replacing = new Map<string, string[]>();
  readonly #members = new Map<string, ReadonlyMap<string, string>>();
  readonly #orders = new Map<string, readonly string[]>();

  private constructor(private readonly owners: ReadonlyMap<string, string>) {}

  /** The classes of members, with all above and below them; null where no class has one. */
  static async around(context: Look, members: readonly string[]): Promise<Classes | null> {
    const owners = new Map<string, string>();
    for (const { node, entry } of await stepsAt(context, members, 'in', SymbolContainsSymbol))
      if (!owners.has(node)) owners.set(node, entry.far);
    if (owners.size === 0) return null;
    const classes = new Classes(owners);
    await classes.#read(context);
    return classes;
  }

  async #read(context: Look): Promise<void> {
    const starts = [...new Set(this.owners.values())];
    const { links: down } = await lineageOf(context, starts, 'down', MOST_STEPS, MOST_LINKS);
    const below = [...new Set([...starts, ...down.map(({ child }) => child)])];
    const { links: up } = await lineageOf(context, below, 'up', MOST_STEPS, 2 * MOST_LINKS);
    if (up.length === 0) return;
    const embedding = await embeddingAmong(context, up);
    for (const { child, parent, relation } of up) {
      append(this.#derived, parent, child);
      if (relation === 'extends') append(this.#extended, child, parent);
      if (relation === 'extends' && embedding.has(child)) continue;
      append(this.#bases, child, parent);
      append(this.#replacing, parent, child);
    }
    await this.#sortBases(context);
    const all = [...new Set([...below, ...up.map(({ parent }) => parent)])];
    const names = new Set([...this.owners.keys()].map(memberName));
    const members = await context.entries(all, 'out', SymbolContainsSymbol);
    for (const [at, one] of all.entries()) {
      const own = (members[at] ?? []).map(({ far }) => [memberName(far), far] as const);
      this.#members.set(one, new Map(own.filter(([name]) => names.has(name)).reverse()));
    }
  }

  /** Edges of one line come by their ends' ids, and not as they are written. */
  async #sortBases({ nodesOf }: Look): Promise<void> {
    const several = [...this.#extended].flatMap(([one, bases]) => (bases.length > 1 ? [one] : []));
    for (const node of await nodesOf(CodeSymbol, several)) {
      if (node.gone) continue;
      const written = node.base_classes.map((text) => (text.split(/[<([]/u)[0] ?? '').split('.').at(-1));
      const place = (base: string) => written.indexOf(ownNameIn(base));
      this.#extended.get(node.id)?.sort((a, b) => place(a) - place(b));
    }
  }

  classOf(member: string): string | undefined {
    return this.owners.get(member);
  }

  /** A member's class and those derived from it, nearest first. */
  below(member: string): string[] {
    const start = this.classOf(member);
    return start === undefined ? [] : closure(start, this.#derived, MOST_STEPS);
  }

  /** A member's class and those whose members of that name run in its place, nearest first. */
  replacing(member: string): string[] {
    const start = this.classOf(member);
    return start === undefined ? [] : closure(start, this.#replacing, MOST_STEPS);
  }

  /** All whose members a class's own run in the place of, nearest first. */
  above(one: string): string[] {
    return closure(one, this.#bases, MOST_STEPS).slice(1);
  }

  ownMember(one: string, name: string): string | undefined {
    return this.#members.get(one)?.get(name);
  }

  /** What runs where a member of an instance of a class is called: its own, or the first that it inherits. */
  memberOf(one: string, name: string): string | undefined {
    for (const each of this.#order(one)) {
      const member = this.ownMember(each, name);
      if (member !== undefined) return member;
    }
    return undefined;
  }

  /** A class, then what it extends, each before what it extends itself: Python's order, in scripts the only one. */
  #order(one: string): readonly string[] {
    const known = this.#orders.get(one);
    if (known) return known;
    const order: string[] = [];
    const visited = new Set<string>();
    const visit = (each: string, left: number) => {
      if (left < 0 || visited.has(each)) return;
      visited.add(each);
      for (const base of (this.#extended.get(each) ?? []).toReversed()) visit(base, left - 1);
      order.push(each);
    };
    visit(one, MOST_STEPS);
    this.#orders.set(one, order.reverse());
    return order;
  }
}

/** The classes that embed what they extend, by the rule of their language: it lends them members, and they replace none. */
async function embeddingAmong(
  { nodesOf }: Look,
  links: readonly InheritanceLink[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const children = links.flatMap(({ child, relation }) => {
    const language = languageOf(parseId(child)?.path ?? '');
    const rules = language && 'link' in language ? language.link : undefined;
    return relation === 'extends' && rules?.embedding ? [child] : [];
  });
  for (const node of await nodesOf(CodeSymbol, [...new Set(children)]))
    if (!node.gone && node.subkind !== 'interface') found.add(node.id);
  return found;
}
