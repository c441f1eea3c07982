import type { Definition, FileFacts, Reference } from '../facts.js';
import { isFixture } from '../pytest.js';
import { CONFIDENCE, foundTarget } from './found-target.js';
import { definitionMeaning, type Meaning } from './meaning.js';
import { definitionAt, definitionsNamed, type ModuleTable, TOP } from './module-table.js';
import type { Program } from './program.js';
import { foundReference, writtenConstructor } from './reference.js';
import type {
  Candidate,
  DefinitionTarget,
  Evidence,
  ResolvedReceiver,
  ResolvedReference,
} from './resolution.js';
import { keyMeanings } from './script/index.js';
import {
  type Called,
  calledThroughValues,
  fixtureNamed,
  isNarrowed,
  isOfDerived,
  type KnownCall,
  membersThroughValues,
  type NamedMember,
  type StepBudget,
} from './values/index.js';

/** Functions of one name that branches define and a call may reach: of more no one is told. */
const MOST_TWINS = 24;

const twinsOfLists = new WeakMap<readonly number[], Map<string, readonly number[]>>();

const NONE: readonly DefinitionTarget[] = [];

/** How sure one of several functions is that values bring to a call, each of them a fact. */
const ONE_OF_SEVERAL = 0.7;

/**
 * The references of a file with what they refer to: by names and types, and calls that these leave open by values, as
 * far as the budget goes.
 *
 * @param receivers Gets the definitions that stand in the receivers of the references.
 */
export function resolvedReferences(
  program: Program,
  file: string,
  facts: FileFacts,
  budget: StepBudget,
  receivers: ResolvedReceiver[],
): ResolvedReference[] {
  const table = program.tables.get(file);
  const tests = new Set(facts.tests.flatMap(({ definition }) => definition ?? []));
  const byName: ResolvedReference[] = [];
  const open: OpenMember[] = [];
  const keys = new Map<number, readonly Meaning[]>();
  for (const [index, reference] of facts.references.entries()) {
    if (reference.receiver === '') {
      if (!keys.has(index)) keysFrom(program, file, facts.references, index, keys);
      for (const meaning of keys.get(index) ?? [])
        byName.push(resolved(program, file, reference, index, meaning, NONE));
      continue;
    }
    const path = pathOf(reference);
    const named = new Set<number>();
    // A receiver that is more than a path is visited by extraction: its names are references of their own.
    const listener = (meaning: Meaning, step: number) => {
      named.add(step);
      const { target, resolution, confidence } = foundTarget(meaning, '');
      if ('definition' in target)
        receivers.push({
          reference: index,
          target,
          resolution,
          confidence,
          evidence: partOf(reference, step),
        });
    };
    const found = foundReference(program, file, reference, path ? listener : undefined);
    const { held, candidates } = found;
    const meaning =
      found.meaning ?? (table?.isPython ? fixtureMeaning(program, file, facts, tests, reference) : null);
    // A property that is read of one of several types is used of each.
    if (
      !table?.isPython &&
      !isCall(reference) &&
      reference.kind !== 'jsx' &&
      candidates.length > 0 &&
      !meaning
    ) {
      for (const { file: of, definition } of candidates)
        byName.push(
          resolved(program, file, reference, index, definitionMeaning(of, definition, 'type'), NONE),
        );
      continue;
    }
    if (meaning?.kind === 'definition' || held === null)
      byName.push(resolved(program, file, reference, index, meaning, candidates));
    if (held !== null) byName.push(resolved(program, file, reference, index, held, NONE));
    if (!table?.isPython || !path || reference.name.includes('*')) continue;
    for (let step = 1; step < path.length; step++)
      if (!named.has(step)) open.push({ index, step, ...memberAt(path, step, reference) });
    if (!meaning && !isCall(reference))
      open.push({ index, step: null, ...memberAt([...path, reference.name], path.length, reference) });
  }
  if (!table?.isPython) return byName;
  const calls = new Map<number, KnownCall>();
  facts.references.forEach((reference, index) => {
    const target = byName[index]?.target;
    if (!isCall(reference) || !target) return;
    if ('unresolved' in target || isNarrowed(table, reference)) calls.set(index, { reference, targets: [] });
    else if ('definition' in target)
      calls.set(index, { reference, targets: isVariable(program, target) ? [] : [target] });
  });
  const byValue = calledThroughValues(program, file, calls, budget);
  const members = membersThroughValues(program, file, calls, open, { ...budget });
  const own = new Map<number, readonly DefinitionTarget[]>();
  open.forEach(({ index, step, reference }, at) => {
    const targets = members[at] ?? [];
    if (step === null) own.set(index, targets);
    else
      for (const target of targets) {
        const evidence = partOf(reference, step);
        receivers.push({
          reference: index,
          target,
          resolution: 'type',
          confidence: CONFIDENCE.type,
          evidence,
        });
      }
  });
  return byName.flatMap((one) => {
    const targets = own.get(one.reference) ?? NONE;
    if (targets.length > 0) return throughValues(program, one, { targets, isFact: true });
    const called = byValue.get(one.reference);
    const reference = facts.references[one.reference];
    if (reference && isCall(reference) && isNarrowed(table, reference))
      return throughCondition(program, one, reference, called);
    return called ? throughValues(program, one, called) : [throughBranches(program, one, facts)];
  });
}

/**
 * The fixture that a parameter of a Python test or fixture is handed: the one read of a local name that is a reference.
 *
 * @param tests The definitions that are tests, by index.
 */
function fixtureMeaning(
  program: Program,
  file: string,
  { definitions }: FileFacts,
  tests: ReadonlySet<number>,
  { kind, receiver_form: form, local, from, name }: Reference,
): Meaning | null {
  const taker = kind === 'read' && form === 'none' && local && from !== null ? definitions[from] : undefined;
  const isFilled = taker !== undefined && (isFixture(taker) || tests.has(from ?? -1));
  const fixture = isFilled ? fixtureNamed(program, file, taker, name) : null;
  return (
    fixture && definitionMeaning(fixture.file, fixture.definition, fixture.file === file ? 'exact' : 'import')
  );
}

/** Finds what a key and those that stand with it mean; `meanings` gets each. Keys of one literal are close together. */
function keysFrom(
  program: Program,
  file: string,
  references: readonly Reference[],
  index: number,
  meanings: Map<number, readonly Meaning[]>,
): void {
  const on = references[index]?.on;
  const together: number[] = [];
  for (let at = index; at < references.length && at < index + MOST_BETWEEN; at++)
    if (at === index || (typeof on === 'object' && references[at]?.on === on)) together.push(at);
  const found = keyMeanings(
    program,
    file,
    together.flatMap((at) => references[at] ?? []),
  );
  together.forEach((at, of) => {
    meanings.set(at, found[of] ?? []);
  });
}

/** References from the first key of a literal on among which the others are looked for. */
const MOST_BETWEEN = 256;

/** A member whose receiver names and types do not tell. */
interface OpenMember extends NamedMember {
  readonly index: number;
  /** Which step of the receiver it is; null: the name of the reference itself. */
  readonly step: number | null;
}

/** The names of a receiver that is a dotted path; null for any other. */
function pathOf({ receiver, receiver_form: form }: Reference): string[] | null {
  return receiver !== null && (form === 'path' || form === 'this') ? receiver.split('.') : null;
}

function memberAt(path: readonly string[], step: number, reference: Reference): NamedMember {
  return { reference, receiver: path.slice(0, step).join('.'), name: path[step] ?? '' };
}

/** Where a step of a receiver stands. */
function partOf({ line, column, receiver }: Reference, step: number): Evidence {
  return { line, column, expression: (receiver ?? '').split('.', step + 1).join('.') };
}

/** What a condition tells of a receiver wins over its written type, which holds what is not that besides. */
function throughCondition(
  program: Program,
  byName: ResolvedReference,
  reference: Reference,
  called: Called | undefined,
): ResolvedReference[] {
  const { target } = byName;
  const told = called?.targets ?? [];
  if ('definition' in target && told.length > 0 && told.every((one) => isOfDerived(program, target, one)))
    return [byName];
  const open = { ...byName, ...foundTarget(null, reference.name), constructor_method: null };
  return called ? throughValues(program, open, called) : [open];
}

/** Of functions that branches define under one name no one is surely called. */
function throughBranches(
  program: Program,
  one: ResolvedReference,
  { references }: FileFacts,
): ResolvedReference {
  const { target, file } = one;
  const reference = references[one.reference];
  const table = 'definition' in target ? program.tables.get(target.file) : undefined;
  if (!('definition' in target) || !table || !reference || !isCall(reference)) return one;
  const twins = twinsOf(table, target.definition, target.file === file ? reference.line : null);
  if (twins.length === 0) return one;
  const open = { ...one, ...foundTarget(null, reference.name) };
  if (twins.length > MOST_TWINS) return open;
  const confidence = CONFIDENCE[one.resolution] / twins.length;
  const candidates = twins.map((definition) => ({ file: target.file, definition, confidence }));
  return { ...open, candidates };
}

function resolved(
  program: Program,
  file: string,
  reference: Reference,
  index: number,
  meaning: Meaning | null,
  candidates: readonly DefinitionTarget[],
): ResolvedReference {
  const constructs = meaning?.kind === 'definition' && isCall(reference);
  const { target, resolution, confidence } = foundTarget(meaning, reference.name);
  return {
    file,
    reference: index,
    target,
    constructor_method: constructs ? constructorOf(program, meaning) : null,
    resolution,
    confidence,
    candidates: candidates.length === 0 ? undefined : alternatives(candidates),
    // A reference says where it stands and how it is written: it is its own evidence.
    evidence: reference,
  };
}

/** What values bring takes the place of an unresolved name, and stands beside the variable or property that is called. */
function throughValues(
  program: Program,
  byName: ResolvedReference,
  { targets, isFact }: Called,
): ResolvedReference[] {
  if (!isFact) {
    return [{ ...byName, candidates: alternatives(targets) }];
  }
  const confidence = targets.length === 1 ? CONFIDENCE.type : ONE_OF_SEVERAL;
  const facts = targets.map((target): ResolvedReference => {
    const constructor_method = constructorOf(program, target);
    return { ...byName, target, resolution: 'type', confidence, constructor_method };
  });
  return 'unresolved' in byName.target ? facts : [byName, ...facts];
}

/** The more alternatives, the less sure each one is. */
function alternatives(targets: readonly DefinitionTarget[]): Candidate[] {
  const confidence = CONFIDENCE.type / (targets.length + 1);
  return targets.map(({ file, definition }) => ({ file, definition, confidence }));
}

function constructorOf(program: Program, { file, definition }: DefinitionTarget): DefinitionTarget | null {
  const written = writtenConstructor(program, definitionMeaning(file, definition, 'exact'));
  return written === null ? null : { file, definition: written };
}

function isCall({ kind }: Reference): boolean {
  return kind === 'call' || kind === 'new';
}

function isVariable(program: Program, { file, definition }: DefinitionTarget): boolean {
  return program.tables.get(file)?.facts.definitions[definition]?.form === 'variable';
}

/**
 * The functions of one name that branches of a scope define, `if … def f … else … def f`, when a definition is one of
 * them: which one there is depends on the branch that is run. Empty when there is only one, and for what is asked
 * inside of one of the branches (`line` null: from another file). In source order, the definition itself included; no
 * more than one beyond {@link MOST_TWINS}.
 */
function twinsOf(table: ModuleTable, index: number, line: number | null): readonly number[] {
  const definition = definitionAt(table, index);
  if (!definition.branch) return [];
  const named = definitionsNamed(table, definition.parent ?? TOP, definition.name);
  const known = named.length > 1 ? twinsAmong(table, named, index) : [];
  const holds = (twin: number) => line !== null && isInside(line, definitionAt(table, twin));
  return known.length > 1 && !holds(index) && !known.some(holds) ? known : [];
}

/** Found out once for all definitions of a list that stand in one branch and have the same decorators. */
function twinsAmong(table: ModuleTable, named: readonly number[], index: number): readonly number[] {
  const definition = definitionAt(table, index);
  const byBranch = twinsOfLists.get(named) ?? new Map<string, readonly number[]>();
  twinsOfLists.set(named, byBranch);
  const key = `${definition.branch} ${definition.decorators.join()}`;
  let others = byBranch.get(key);
  if (!others) {
    const apart: number[] = [];
    for (const other of named) {
      if (areApart(definitionAt(table, other), definition)) apart.push(other);
      if (apart.length > MOST_TWINS) break;
    }
    others = apart;
    byBranch.set(key, others);
  }
  return [...others, index].sort((a, b) => a - b);
}

/** Whether two functions stand in branches of which neither holds the other. Accessors of a property are no twins. */
function areApart(a: Definition, b: Definition): boolean {
  if (!a.branch || !b.branch || a.decorators.join() !== b.decorators.join()) return false;
  return a.branch[1] < b.branch[0] || b.branch[1] < a.branch[0];
}

function isInside(line: number, { branch }: Definition): boolean {
  return branch !== undefined && line >= branch[0] && line <= branch[1];
}
