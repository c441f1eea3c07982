import type { FlowFact } from '../../flow-facts.js';
import { ancestorsOf, memberOf, staticMember } from '../class-members.js';
import { definitionAt, Grouping, type ModuleTable } from '../module-table.js';
import { assignedByScope, isAssigned, MOST_FLOWS } from '../reaching.js';
import { receiverOfMethod } from '../scope.js';
import { isProperty, memberMeaning, siteOf } from '../value-type.js';
import { annotatedValues } from './annotated.js';
import { resultOf } from './calls.js';
import type { Evaluation } from './evaluation.js';
import { filled, isContainerMethod } from './items.js';
import { meaningValues } from './names.js';
import { activated, instanceOf } from './parameters.js';
import { type Activation, type Given, oneOf, only, UNKNOWN, type Value, type Values } from './value.js';

/** What `.name` of a value stands for. */
export function membersOf(run: Evaluation, value: Value, name: string): Values {
  switch (value.kind) {
    case 'instance':
      return instanceMember(run, value, name);
    case 'class':
      return classMember(run, value, name);
    case 'module': {
      const meaning = staticMember(run.program, value.meaning, name, 'value');
      return meaning ? meaningValues(run, meaning, null) : UNKNOWN;
    }
    case 'list':
    case 'dict':
      return isContainerMethod(name) ? only({ kind: 'builtin', name, self: value }) : UNKNOWN;
    default:
      return UNKNOWN;
  }
}

function instanceMember(run: Evaluation, value: Value & { kind: 'instance' }, name: string): Values {
  const owner = { ...value, via: 'type' as const };
  const found = memberOf(run.program, owner, name);
  const table = found && run.program.tables.get(found.file);
  const definition = table && definitionAt(table, found.definition);
  if (found && table && definition && definition.form !== 'variable') {
    if (definition.form !== 'method') return meaningValues(run, found, null);
    const self = instanceOf(table, found.file, definition);
    const bound = self === null ? null : self.kind === 'class' ? classOf(value) : value;
    const method = {
      kind: 'function' as const,
      file: found.file,
      definition: found.definition,
      self: bound,
      around: null,
    };
    return isProperty(definition) ? resultOf(run, method, NO_ARGUMENTS(found.file)) : only(method);
  }
  const annotated =
    found && definition?.value_type
      ? annotatedValues(run, definition.value_type, siteOf(found, definition))
      : null;
  const values = annotated ?? fieldValues(run, value, name);
  if (values) return values;
  const meaning = memberMeaning(run.program, owner, name);
  if (meaning?.kind === 'instance') return meaningValues(run, meaning, null);
  // What a `with` hands over is nearly always the thing itself.
  return name === '__enter__' && !found ? only({ kind: 'builtin', name, self: value }) : UNKNOWN;
}

function classMember(run: Evaluation, value: Value & { kind: 'class' }, name: string): Values {
  const found = memberOf(run.program, { ...value, kind: 'definition', via: 'type' }, name);
  const table = found && run.program.tables.get(found.file);
  if (!found || !table) return UNKNOWN;
  const definition = definitionAt(table, found.definition);
  if (definition.form === 'variable') return fieldValues(run, value, name) ?? meaningValues(run, found, null);
  if (definition.form !== 'method') return meaningValues(run, found, null);
  const self = definition.decorators.includes('classmethod') ? value : null;
  return only({ kind: 'function', file: found.file, definition: found.definition, self, around: null });
}

/** What the object of a method is called. */
const OBJECTS = ['self', 'cls', 'this'];

/** The assignments to an attribute by the class whose methods they stand in. */
const flowsByClass = new Grouping((flow: FlowFact, table: ModuleTable) =>
  isAssigned(flow) ? receiverOfMethod(table, flow.from) : null,
);

/** What methods and the class body assign to an attribute, in the nearest class that does; null when none does. */
function fieldValues(
  run: Evaluation,
  value: Value & { kind: 'instance' | 'class' },
  name: string,
): Values | null {
  const owner = { ...value, kind: 'definition' as const, via: 'type' as const };
  for (const one of [owner, ...ancestorsOf(run.program, owner)]) {
    const table = one && run.program.tables.get(one.file);
    if (!one || !table) return null;
    const own = OBJECTS.map((object) =>
      flowsByClass.in(table.flows.get(`${object}.${name}`), one.definition, table),
    );
    const inBody = assignedByScope.in(table.flows.get(name), one.definition);
    // A field that is given so much is told nothing of.
    if (inBody.length > MOST_FLOWS || own.some((flows) => flows.length > MOST_FLOWS)) return UNKNOWN;
    const flows = [...own.flat(), ...inBody];
    if (flows.length === 0) continue;
    const parts = flows.map((flow) => {
      const activation = flow.from === null ? null : methodCall(run, table, one.file, flow.from, value);
      const values = run.flowing(flow, one.file, activation);
      return value.kind === 'instance' && inBody.includes(flow) ? overridable(values) : values;
    });
    const at = { table, file: one.file, scope: one.definition, at: null };
    return filled(run, oneOf(parts), { ...at, target: `self.${name}` }, null);
  }
  return null;
}

/** What a class body gives: a class that stands there is a default for derived classes to replace. */
function overridable({ all, isOpen }: Values): Values {
  return {
    all: all.map((value) => (value.kind === 'class' ? { ...value, orDerived: true } : value)),
    isOpen,
  };
}

/** A method at work on a value: its first parameter is that; a constructor's others are what was constructed with. */
function methodCall(
  run: Evaluation,
  table: ModuleTable,
  file: string,
  definition: number,
  value: Value & { kind: 'instance' | 'class' },
): Activation | null {
  const { form, name, parameters } = definitionAt(table, definition);
  if (form !== 'method') return null;
  const isConstructor = name === '__init__' || name === 'constructor';
  const given = value.kind === 'instance' && isConstructor ? value.given : null;
  const method = { kind: 'function' as const, file, definition, self: value, around: null };
  if (given) return activated(run, method, given);
  const [self] = parameters;
  return self
    ? { file, definition, bound: new Map([[self.name, () => only(value)]]), isWhole: false, outer: null }
    : null;
}

function classOf({ file, definition }: Value & { kind: 'instance' }): Value {
  return { kind: 'class', file, definition };
}

/** A call without arguments. */
const NO_ARGUMENTS = (file: string): Given => ({
  arguments: { passed: [] },
  scene: { site: { file, from: null, place: { line: 0, column: 0 }, local: false }, activation: null },
});
