import type { Reference } from '../../facts.js';
import { definitionMeaning, type Meaning } from '../meaning.js';
import type { Program } from '../program.js';
import type { DefinitionTarget } from '../resolution.js';
import { lookup, type Site } from '../scope.js';
import type { StepListener } from '../value-type.js';
import { type Asking, asking } from './asking.js';
import { requiredType, typeOfMeaning } from './definitions.js';
import { memberOfType } from './members.js';
import { typeOfName } from './names.js';
import { foundAt } from './scopes.js';
import type { Member, Type } from './type.js';
import { typeOfValue } from './values.js';

/** What a reference on a receiver, or a call of a name, turned out to be. */
export interface FoundMember {
  meaning: Meaning | null;
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
  const followed = isCall(reference) ? behind(ask, meaning, member.type) : meaning;
  return { meaning: followed, candidates: member.candidates ?? [] };
}

/** What the call of a bare name means that is bound to a value: the function that the value is. */
export function calledName(
  program: Program,
  file: string,
  reference: Reference,
  meaning: Meaning | null,
): Meaning | null {
  const ask = asking(program);
  const type = () =>
    meaning
      ? typeOfMeaning(ask, meaning)
      : reference.local
        ? typeOfName(ask, siteOf(file, reference), reference.name)
        : null;
  return behind(ask, meaning, type);
}

const NOTHING: FoundMember = { meaning: null, candidates: [] };

function isCall({ kind }: Reference): boolean {
  return kind === 'call' || kind === 'new' || kind === 'jsx' || kind === 'decorator';
}

/** The function or class that a called variable holds; the variable itself when that is not known. */
function behind(ask: Asking, meaning: Meaning | null, type: () => Type | null): Meaning | null {
  if (meaning?.kind === 'external') return meaning;
  const form = meaning?.kind === 'definition' && foundAt(ask.program, meaning)?.definition.form;
  if (form && form !== 'variable') return meaning;
  const value = type();
  const held = value?.kind === 'module' ? requiredType(ask, value) : value;
  if (held?.kind !== 'function' && held?.kind !== 'class') return meaning;
  const definition = foundAt(ask.program, held.at)?.definition;
  if (!definition || definition.form === 'variable') return meaning;
  return definitionMeaning(held.at.file, held.at.definition, 'type');
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
  if (listener) namedOnTheWay(ask, receiver.split('.'), site, listener);
  return typeOfValue(ask, receiver, site);
}

/** Reports the definitions that a path of names refers to, as far as they are known. */
function namedOnTheWay(
  ask: Asking,
  [first = '', ...rest]: string[],
  site: Site,
  listener: StepListener,
): void {
  const isThis = first === 'this' && !site.local;
  const root = isThis || site.local ? null : lookup(ask.program, site, first, 'value');
  if (root && root.kind !== 'local') listener(root, 0);
  if (rest.length === 0) return;
  let path = first;
  for (const [at, name] of rest.entries()) {
    const type = typeOfValue(ask, path, site);
    const member = type && memberOfType(ask, type, name);
    if (!member) return;
    if (member.meaning) listener(member.meaning, at + 1);
    else if (member.at)
      listener(definitionMeaning(member.at.file, member.at.definition, member.at.via), at + 1);
    path = `${path}.${name}`;
  }
}

/** What a call's callee is as a value. */
export function meaningOfCall(ask: Asking, file: string, reference: Reference): Type | null {
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
