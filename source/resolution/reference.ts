import type { Reference } from '../facts.js';
import { ancestorsOf, dottedMeaning, memberOf, ownMember } from './class-members.js';
import { instanceMeaning, type Meaning, type Space } from './meaning.js';
import { definitionAt } from './module-table.js';
import type { ClassMeaning, Program } from './program.js';
import { lookup, receiverOfMethod, type Site } from './scope.js';
import { calledName, type FoundMember, memberReference, type StepListener } from './script/index.js';

/**
 * What a reference refers to by the rules of its file's language.
 *
 * @param listener Called for each definition that the receiver names on the way.
 */
export function foundReference(
  program: Program,
  file: string,
  reference: Reference,
  listener?: StepListener,
): FoundMember {
  const { kind, receiver_form: form } = reference;
  if (form === 'other' && reference.receiver === null) return calledName(program, file, reference, null);
  const isMember = form !== 'none' && form !== 'super' && (kind !== 'type' || reference.on !== undefined);
  if (isMember) return memberReference(program, file, reference, listener);
  const meaning = referenceMeaning(program, file, reference);
  const isCalled = kind === 'call' || kind === 'new' || kind === 'jsx';
  if (!isCalled || form !== 'none') return { meaning, held: null, candidates: [] };
  return calledName(program, file, reference, meaning);
}

/**
 * What a name, a type or a member behind `super` refers to; null when that is not known for sure. A name is never bound
 * by its spelling alone: what `x.send()` calls is only said when it is known what `x` is.
 */
function referenceMeaning(program: Program, file: string, reference: Reference): Meaning | null {
  const site = siteOfReference(file, reference);
  const space: Space = reference.kind === 'type' ? 'type' : 'value';
  switch (reference.receiver_form) {
    case 'none':
      return bare(program, site, reference, space);
    case 'literal':
      return null;
    case 'super':
      return inherited(program, site, reference);
    case 'this':
      return onThis(program, site, reference);
    default:
      return onPath(program, site, reference);
  }
}

/** The constructor that a class itself writes; null when it inherits one or has none. */
export function writtenConstructor(program: Program, meaning: Meaning): number | null {
  const table = program.tables.get(meaning.kind === 'definition' ? meaning.file : '');
  if (meaning.kind !== 'definition' || !table) return null;
  if (definitionAt(table, meaning.definition).form !== 'class') return null;
  return ownMember(program, meaning, 'constructor');
}

function bare(program: Program, site: Site, reference: Reference, space: Space): Meaning | null {
  const meaning = lookup(program, site, reference.name, space);
  const found = meaning?.kind === 'local' ? null : meaning;
  if (found || (meaning && space === 'value') || (reference.kind !== 'type' && reference.kind !== 'read'))
    return found;
  // `typeof handler` in a type names a value, `export { Options }` and `export default Options` a type.
  const other = lookup(program, site, reference.name, space === 'type' ? 'value' : 'type');
  return other?.kind === 'local' ? null : other;
}

/** A type by its dotted path. */
function onPath(program: Program, site: Site, reference: Reference): Meaning | null {
  const steps = reference.receiver === null ? null : receiverSteps(reference.receiver);
  if (!steps) return null;
  const path = [...steps.map((step) => step.name), reference.name];
  return dottedMeaning(program, site, path, 'type') ?? dottedMeaning(program, site, path, 'value');
}

/** `typeof this.name` as a type. */
function onThis(program: Program, site: Site, reference: Reference): Meaning | null {
  const own = reference.receiver === 'this' ? ownClass(program, site) : null;
  return own && memberOf(program, own, reference.name);
}

/** The class that `this` or `super` stands in; null outside of any. */
function ownClass(program: Program, site: Site): ClassMeaning | null {
  const table = program.tables.get(site.file);
  const owner = table ? receiverOfMethod(table, site.from) : null;
  return owner === null ? null : instanceMeaning(site.file, owner, 'exact');
}

/** `super(…)`, `super.m()` and `super().m()`: the nearest class behind the own one that has it. */
function inherited(program: Program, site: Site, reference: Reference): Meaning | null {
  const own = ownClass(program, site);
  if (!own || !/^super(?:\(.*\))?$/s.test(reference.receiver ?? '')) return null;
  if (reference.name === 'constructor') return nearestAncestor(program, own);
  return memberOf(program, own, reference.name, true);
}

function nearestAncestor(program: Program, own: ClassMeaning): Meaning | null {
  return ancestorsOf(program, own)[0] ?? null;
}

function siteOfReference(file: string, { from, line, column, local }: Reference): Site {
  return { file, from, place: { line, column }, local };
}

/** One step of a receiver: `.name`, or `.name(…)` when it is called. */
interface Step {
  name: string;
  called: boolean;
}

/**
 * The steps of a receiver as written: `Server(x).router` is `Server` called, then `router`. Null for what is no chain
 * of names and calls, and for a text that was cut.
 */
function receiverSteps(receiver: string): Step[] | null {
  let text = receiver.trim();
  for (;;) {
    const inner = /^\((.*)\)$/s.exec(text)?.[1];
    if (inner !== undefined && closing(text, 0) === text.length - 1) text = inner.trim();
    else if (/^await\s/.test(text)) text = text.replace(/^await\s+/, '');
    else break;
  }
  const steps: Step[] = [];
  let at = 0;
  while (at < text.length) {
    const name = /^[\p{ID_Start}_$][\p{ID_Continue}$]*/u.exec(text.slice(at))?.[0];
    if (name === undefined) return null;
    at += name.length;
    const step = { name, called: false };
    if (text[at] === '(') {
      const end = closing(text, at);
      if (end === null) return null;
      step.called = true;
      at = end + 1;
    }
    steps.push(step);
    if (at === text.length) return steps;
    if (text[at] !== '.') return null;
    at++;
  }
  return null;
}

const PAIRS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Where the bracket that opens at `start` closes; null when it does not. Strings are passed over. */
function closing(text: string, start: number): number | null {
  const open: string[] = [];
  for (let at = start; at < text.length; at++) {
    const character = text[at] ?? '';
    if (`'"\``.includes(character)) {
      let end = at + 1;
      while (end < text.length && text[end] !== character) end += text[end] === '\\' ? 2 : 1;
      at = end;
    } else if ('([{'.includes(character)) open.push(PAIRS[character] ?? '');
    else if (character === open[open.length - 1]) {
      open.pop();
      if (open.length === 0) return at;
    }
  }
  return null;
}
