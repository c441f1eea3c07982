import type { Reference } from '../facts.js';
import {
  ancestorsOf,
  baseMeaning,
  type ClassMeaning,
  dottedMeaning,
  keyOf,
  memberOf,
  ownMember,
} from './class-members.js';
import { byText } from './file-path.js';
import { definitionMeaning, type Meaning, type Space } from './meaning.js';
import { definitionAt } from './module-table.js';
import type { Program } from './program.js';
import { receiverSteps } from './receiver.js';
import type { DefinitionTarget } from './resolution.js';
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
  if (isPython && reference.name.includes('*'))
    return {
      meaning: null,
      held: null,
      candidates: fittingMembers(program, siteOfReference(file, reference), reference),
    };
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

function siteOfReference(file: string, { from, line, column, local }: Reference): Site {
  return { file, from, place: { line, column }, local };
}

/** Members that a computed name may be, and classes that are searched for them: where there are more, none are told. */
const MOST_FITTING = 256;

/** The methods that a computed name, `visit_*`, may be of the receiver's class, of those behind it and derived from it. */
function fittingMembers(program: Program, site: Site, reference: Reference): readonly DefinitionTarget[] {
  // A class has the members of its instances.
  const receiver = (reference.receiver ?? '').replace(/^type\((.*)\)$|\.__class__$/, '$1');
  const isOwn = reference.receiver_form === 'this' || /^(?:self|cls)$/.test(receiver);
  const steps = receiverSteps(receiver);
  const of = steps && receiverMeaning(program, site, steps, 0, isOwn ? ownClass(program, site) : null);
  if (of?.kind !== 'instance' && of?.kind !== 'definition') return [];
  const [start = '', end = ''] = reference.name.split('*');
  const found: DefinitionTarget[] = [];
  for (const one of relatedTo(program, of)) {
    const table = program.tables.get(one.file);
    for (const name of table?.members.get(one.definition)?.keys() ?? []) {
      const isLonger = name.length > start.length + end.length;
      if (!table || !isLonger || !name.startsWith(start) || !name.endsWith(end)) continue;
      const definition = ownMember(program, one, name);
      if (definition === null || definitionAt(table, definition).form !== 'method') continue;
      if (found.push({ file: one.file, definition }) > MOST_FITTING) return [];
    }
  }
  return found.sort((a, b) => byText(a.file, b.file) || a.definition - b.definition);
}

/** A class, those that derive from it, and all that are behind any of them; none where there are too many. */
function relatedTo(program: Program, owner: ClassMeaning): readonly ClassMeaning[] {
  return program.lookups.remembered(program.caches.related, keyOf(owner), () => {
    const derived = new Map<string, ClassMeaning>([[keyOf(owner), owner]]);
    for (const base of derived.values()) {
      const { name = '' } = program.tables.get(base.file)?.facts.definitions[base.definition] ?? {};
      const paths = program.derived.get(name) ?? [];
      if (paths.length + derived.size > MOST_FITTING) return [];
      for (const path of paths)
        program.tables.get(path)?.facts.definitions.forEach(({ form, bases }, index) => {
          const one = definitionMeaning(path, index, 'type');
          const isBase = (meaning: Meaning | null) =>
            meaning?.file === base.file && meaning.definition === base.definition;
          if (form === 'class' && bases.some((_, at) => isBase(baseMeaning(program, one, at))))
            derived.set(keyOf(one), one);
        });
    }
    const behind = [...derived.values()].flatMap((one) => ancestorsOf(program, one));
    for (const one of behind) if (one && !derived.has(keyOf(one))) derived.set(keyOf(one), one);
    return [...derived.values()];
  });
}
