import { type Meaning, sameMeaning } from '../meaning.js';
import {
  declaredTypes,
  definitionAt,
  definitionsNamed,
  Grouping,
  type ModuleTable,
  type Place,
  parameterNamed,
  TOP,
  typesByScope,
} from '../module-table.js';
import { isByCondition, reaching } from '../reaching.js';
import { enclosing, lookup } from '../scope.js';
import { isNothing, isOwnNothing } from '../told-type.js';
import { siteOf, valueGiven } from '../value-type.js';
import { annotatedValues } from './annotated.js';
import type { Evaluation } from './evaluation.js';
import { filled } from './items.js';
import { parameterValues } from './parameters.js';
import { type Activation, NOTHING, oneOf, only, type Scene, UNKNOWN, type Values } from './value.js';

/** What a bare name stands for at a place: by what was assigned to it, handed over, defined or imported. */
export function namedValues(run: Evaluation, name: string, scene: Scene): Values {
  const { file, from, place } = scene.site;
  const table = run.program.tables.get(file);
  if (!table) return UNKNOWN;
  for (const scope of [...enclosing(table, from), TOP]) {
    const definition = scope === TOP ? null : definitionAt(table, scope);
    if (definition?.form === 'class' && scope !== from) continue;
    const at = scope === (from ?? TOP) ? place : null;
    const found = reaching(table, name, scope, at);
    if (!found?.isInner && isDeclared(table, scope, name)) break;
    const isParameter = definition !== null && parameterNamed(definition, name) >= 0;
    const first = isParameter ? () => parameterValues(run, table, scope, name, scene) : null;
    const values = assigned(run, { table, file, scope, name, at }, scene.activation, first);
    if (values) return values;
  }
  const meaning = lookup(run.program, { file, from, place, local: false }, name, 'value');
  return meaning && meaning.kind !== 'local' ? meaningValues(run, meaning, scene.activation) : UNKNOWN;
}

/** What something that was found by its name stands for as a value. */
export function meaningValues(run: Evaluation, meaning: Meaning, activation: Activation | null): Values {
  if (meaning.kind === 'instance') {
    const { file, definition } = meaning;
    return only({ kind: 'instance', file, definition, given: null });
  }
  if (meaning.kind === 'exported') return UNKNOWN;
  if (meaning.kind !== 'definition') return only({ kind: 'module', meaning });
  const { file, definition: index } = meaning;
  const table = run.program.tables.get(file);
  if (!table) return UNKNOWN;
  const definition = definitionAt(table, index);
  if (definition.form === 'class') return only({ kind: 'class', file, definition: index });
  if (definition.form === 'function' || definition.form === 'method')
    return only({
      kind: 'function',
      file,
      definition: index,
      self: null,
      around: nearest(activation, file, table, definition.parent),
    });
  if (definition.form !== 'variable') return UNKNOWN;
  const scope = definition.parent ?? TOP;
  const variable = { table, file, scope, name: definition.name, at: null };
  const values = assigned(run, variable, null, null) ?? NOTHING;
  if (values.all.some((value) => value.kind !== 'literal') || values.isOpen) return values;
  const told =
    definition.value_type === null
      ? null
      : annotatedValues(run, definition.value_type, siteOf({ file }, definition));
  if (told) return told;
  const typed = valueGiven(run.program, meaning, false);
  return typed && !sameMeaning(typed, meaning)
    ? meaningValues(run, typed, null)
    : values.all.length > 0
      ? values
      : UNKNOWN;
}

function activationOf(
  activation: Activation | null,
  file: string,
  definition: number | null,
): Activation | null {
  for (let one = activation; one; one = one.outer)
    if (one.file === file && one.definition === definition) return one;
  return null;
}

/** A variable and where it is asked for; `at` null: from outside of its scope. */
interface Variable {
  readonly table: ModuleTable;
  readonly file: string;
  readonly scope: number;
  readonly name: string;
  readonly at: Place | null;
}

/** What was assigned to a variable; null when nothing was. `first` gives what it holds before: a parameter's argument. */
function assigned(
  run: Evaluation,
  { table, file, scope, name, at }: Variable,
  activation: Activation | null,
  first: (() => Values) | null,
): Values | null {
  const [told] = declaredTypes.in(typesByScope.in(table.types.get(name), scope), true);
  const site = { file, from: told?.from ?? null, place: { line: told?.line ?? 0, column: 0 }, local: false };
  const found = reaching(table, name, scope, at);
  const annotated = told && !isByCondition(found) ? annotatedValues(run, told.type, site) : null;
  if (annotated) return annotated;
  if (!found && !first) return null;
  const parts = (found?.flows ?? []).map((flow) => {
    // What another function empties may be empty or not.
    if (isNothing(flow.value) && !isOwnNothing(flow, scope)) return UNKNOWN;
    return run.flowing(flow, file, nearest(activation, file, table, flow.from));
  });
  if (first && !found?.isWhole) parts.unshift(first());
  return filled(run, oneOf(parts), { table, file, target: name, scope, at }, activation);
}

/** The call that what stands in a definition is run by: the definition's own or that of one around it. */
export function nearest(
  activation: Activation | null,
  file: string,
  table: ModuleTable,
  from: number | null,
): Activation | null {
  for (const scope of enclosing(table, from)) {
    const found = activationOf(activation, file, scope);
    if (found) return found;
  }
  return null;
}

/** Whether a scope defines or imports a name: then that is what it is, whatever else is assigned. */
function isDeclared(table: ModuleTable, scope: number, name: string): boolean {
  const named = definitionsNamed(table, scope, name);
  return declared.in(named, true, table).length > 0 || (table.bindings.get(scope)?.has(name) ?? false);
}

/** Definitions of one name by whether they are more than variables. */
const declared = new Grouping((index: number, table: ModuleTable) => {
  const { form, is_property } = definitionAt(table, index);
  return form !== 'variable' && !is_property;
});
