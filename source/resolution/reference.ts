import type { Reference } from '../facts.js';
import { ancestorsOf, type ClassMeaning, dottedMeaning, memberOf, ownMember } from './class-members.js';
import type { Meaning, Space } from './meaning.js';
import { definitionAt } from './module-table.js';
import type { Program } from './program.js';
import { receiverSteps } from './receiver.js';
import { lookup, type Site } from './scope.js';
import { calledName, type FoundMember, memberReference } from './script/index.js';
import { memberMeaning, ownClass, receiverMeaning, type StepListener } from './value-type.js';

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
  const isPython = program.tables.get(file)?.isPython ?? true;
  if (!isPython && form === 'other' && reference.receiver === null)
    return calledName(program, file, reference, null);
  const isMember = form !== 'none' && form !== 'super' && (kind !== 'type' || reference.on !== undefined);
  if (!isPython && isMember) return memberReference(program, file, reference, listener);
  const meaning = referenceMeaning(program, file, reference, listener);
  const isCalled = kind === 'call' || kind === 'new' || kind === 'jsx';
  if (isPython || !isCalled || form !== 'none') return { meaning, held: null, candidates: [] };
  return calledName(program, file, reference, meaning);
}

/**
 * What a reference refers to; null when that is not known for sure. A name is never bound by its spelling alone:
 * what `x.send()` calls is only said when it is known what `x` is.
 */
export function referenceMeaning(
  program: Program,
  file: string,
  reference: Reference,
  listener?: StepListener,
): Meaning | null {
  const site: Site = {
    file,
    from: reference.from,
    place: { line: reference.line, column: reference.column },
    local: reference.local,
  };
  const space: Space = reference.kind === 'type' ? 'type' : 'value';
  switch (reference.receiver_form) {
    case 'none':
      return bare(program, site, reference, space);
    case 'literal':
      return null;
    case 'super':
      return inherited(program, site, reference);
    case 'this':
      return onThis(program, site, reference, listener);
    default:
      return onReceiver(program, site, reference, space, listener);
  }
}

/** The constructor that a class itself writes; null when it inherits one or has none. */
export function writtenConstructor(program: Program, meaning: Meaning): number | null {
  const table = program.tables.get(meaning.kind === 'definition' ? meaning.file : '');
  if (meaning.kind !== 'definition' || !table) return null;
  if (definitionAt(table, meaning.definition).form !== 'class') return null;
  return ownMember(program, meaning, table.isPython ? '__init__' : 'constructor');
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

function onReceiver(
  program: Program,
  site: Site,
  reference: Reference,
  space: Space,
  listener: StepListener | undefined,
): Meaning | null {
  const steps = reference.receiver === null ? null : receiverSteps(reference.receiver);
  if (!steps) return null;
  if (space === 'type') {
    const path = [...steps.map((step) => step.name), reference.name];
    return dottedMeaning(program, site, path, 'type') ?? dottedMeaning(program, site, path, 'value');
  }
  const receiver = receiverMeaning(program, site, steps, 0, null, listener);
  return receiver && memberMeaning(program, receiver, reference.name);
}

function onThis(
  program: Program,
  site: Site,
  reference: Reference,
  listener: StepListener | undefined,
): Meaning | null {
  const steps = reference.receiver === null ? null : receiverSteps(reference.receiver);
  const own = ownClass(program, site);
  if (!steps || !own) return null;
  const receiver = steps.length === 1 ? own : receiverMeaning(program, site, steps, 0, own, listener);
  return receiver && memberMeaning(program, receiver, reference.name);
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
