import type { Reference } from '../../facts.js';
import { definitionMeaning, type Meaning } from '../meaning.js';
import type { Program } from '../program.js';
import type { DefinitionTarget } from '../resolution.js';
import { lookup, type Site } from '../scope.js';
import { type Asking, asking } from './asking.js';
import { requiredType, typeOfMeaning } from './definitions.js';
import { isGetter, memberOfType } from './members.js';
import { typeOfName } from './names.js';
import { foundAt } from './scopes.js';
import type { Member, Type } from './type.js';
import { typeOfPath, typeOfValue } from './values.js';

/** Takes the definition that a step of a receiver names, and the step's number. */
export type StepListener = (named: Meaning, at: number) => void;

/** What a reference on a receiver, or a call of a name, turned out to be. */
export interface FoundMember {
  /** What the name itself means, as go-to-definition says. */
  meaning: Meaning | null;
  /** The function or class that a called variable, property or getter holds. */
  held: Meaning | null;
  /** What it could be, where it is not one thing alone. */
  candidates: readonly DefinitionTarget[];
}

/**
 * What a member of a receiver means in TypeScript and JavaScript.
 *
 * @param listener Called for each definition that the receiver names on the way.
 */
export function memberReference(
  program: Program,
  file: string,
  reference: Reference,
  listener?: StepListener,
): FoundMember {
  const ask = asking(program);
  const member = memberAt(ask, file, reference, listener);
  if (!member) return NOTHING;
  const { at } = member;
  const meaning: Meaning | null = member.meaning ?? (at && definitionMeaning(at.file, at.definition, at.via));
  const candidates = member.candidates ?? [];
  if (!isCall(reference)) return { meaning, held: null, candidates };
  const found = withHeld(ask, reference, meaning, member.type);
  return candidates.length === 0 ? found : { ...found, candidates };
}

/** What the call of a bare name means, and the function that is held where the name is bound to a value. */
export function calledName(
  program: Program,
  file: string,
  reference: Reference,
  meaning: Meaning | null,
): FoundMember {
  const ask = asking(program);
  const site = siteOf(file, reference);
  const type = () => {
    if (reference.callee !== undefined) return typeOfValue(ask, reference.callee, site);
    if (reference.receiver_form !== 'none') return null;
    if (meaning) return typeOfMeaning(ask, meaning);
    return reference.local ? typeOfName(ask, site, reference.name) : null;
  };
  return withHeld(ask, reference, meaning, type);
}

const NOTHING: FoundMember = { meaning: null, held: null, candidates: [] };

function isCall({ kind }: Reference): boolean {
  return kind === 'call' || kind === 'new' || kind === 'jsx' || kind === 'decorator';
}

/** What a called name means, with the function or class that its value is; several that it may be are candidates. */
function withHeld(
  ask: Asking,
  reference: Reference,
  meaning: Meaning | null,
  type: () => Type | null,
): FoundMember {
  const named = meaning?.kind === 'definition' ? foundAt(ask.program, meaning)?.definition : undefined;
  if (meaning?.kind === 'external' || (named && named.form !== 'variable' && !isGetter(named)))
    return { meaning, held: null, candidates: [] };
  const value = type();
  const [first, ...others] = callables(ask, value);
  if (!first) return { meaning, held: null, candidates: [] };
  // `new this()` makes whatever the class is that it is called on.
  const isOpen = value?.kind === 'union' || reference.callee === 'this';
  if (isOpen) return { meaning, held: null, candidates: [first, ...others] };
  return { meaning, held: definitionMeaning(first.file, first.definition, 'type'), candidates: [] };
}

/** The functions and classes that a value is or may be. */
function callables(ask: Asking, value: Type | null): DefinitionTarget[] {
  const held = value?.kind === 'module' ? requiredType(ask, value) : value;
  if (held?.kind === 'union') return held.of.flatMap((one) => callables(ask, one));
  if (held?.kind !== 'function' && held?.kind !== 'class') return [];
  const definition = foundAt(ask.program, held.at)?.definition;
  return definition && definition.form !== 'variable' ? [held.at] : [];
}

/**
 * What the keys of one literal, pattern or element mean: of each the properties of the types that have all of them,
 * or else of those that have some. Nothing where it may be one of too many.
 */
export function keyMeanings(program: Program, file: string, keys: readonly Reference[]): Meaning[][] {
  const type = keys[0] ? receiverType(asking(program), file, keys[0], undefined) : null;
  const parts = type?.kind === 'union' ? type.of : [type];
  if (parts.length * keys.length > MOST_LOOKS) return [];
  const found = parts.map((part) =>
    keys.map(({ name }) => part && memberOfType(asking(program), part, name)),
  );
  const whole = found.filter((members) => members.every((one) => one !== null));
  const fitting = whole.length > 0 ? whole : found;
  return keys.map((_, at) => {
    const all = new Map<string, Meaning>();
    for (const members of fitting)
      for (const one of meaningsOf(members[at] ?? null))
        if (one.kind === 'definition') all.set(`${one.file}\0${one.definition}`, one);
    return all.size > MOST_INTENDED ? [] : [...all.values()];
  });
}

/** Keys that are looked for in one of several types: the product of both. */
const MOST_LOOKS = 4096;
/** Properties that one key may mean. */
const MOST_INTENDED = 8;

function meaningsOf(member: Member | null): Meaning[] {
  if (member?.meaning) return [member.meaning];
  const all = member?.at ? [member.at] : (member?.candidates ?? []);
  return all.map(({ file, definition }) => definitionMeaning(file, definition, 'type'));
}

function memberAt(ask: Asking, file: string, reference: Reference, listener?: StepListener): Member | null {
  const receiver = receiverType(ask, file, reference, listener);
  return receiver && memberOfType(ask, receiver, reference.name);
}

function receiverType(
  ask: Asking,
  file: string,
  reference: Reference,
  listener: StepListener | undefined,
): Type | null {
  const { on, receiver, receiver_form: form, from, line, column } = reference;
  if (on !== undefined) return typeOfValue(ask, on, { file, from, place: { line, column }, local: false });
  if (receiver === null || form === 'literal' || receiver.endsWith('…')) return null;
  if (!/^[\w$#\p{ID_Continue}]+(?:\.[\w$#\p{ID_Continue}]+)*$/u.test(receiver)) return null;
  const site = siteOf(file, reference);
  if (!listener) return typeOfValue(ask, receiver, site);
  const path = receiver.split('.');
  const isThis = path[0] === 'this' && !site.local;
  const root = isThis || site.local ? null : lookup(ask.program, site, path[0] ?? '', 'value');
  if (root && root.kind !== 'local') listener(root, 0);
  return typeOfPath(ask, path, site, ({ meaning, at }, step) => {
    const named = meaning ?? (at && definitionMeaning(at.file, at.definition, at.via));
    if (named) listener(named, step);
  });
}

/** What a call's callee is as a value. */
export function meaningOfCall(ask: Asking, file: string, reference: Reference): Type | null {
  if (reference.callee !== undefined) return typeOfValue(ask, reference.callee, siteOf(file, reference));
  if (reference.receiver_form === 'super') return null;
  if (reference.receiver_form !== 'none') return memberAt(ask, file, reference)?.type() ?? null;
  const site = siteOf(file, reference);
  if (reference.local) return typeOfName(ask, site, reference.name);
  const meaning = lookup(ask.program, site, reference.name, 'value');
  return meaning && meaning.kind !== 'local' ? typeOfMeaning(ask, meaning) : null;
}

function siteOf(
  file: string,
  { from, line, column, local }: Pick<Reference, 'from' | 'line' | 'column' | 'local'>,
): Site {
  return { file, from, place: { line, column }, local };
}
